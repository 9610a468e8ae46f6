#!/usr/bin/env bash
# Makes dist/app.zip, which holds all that is deployed and nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go build -trimpath -ldflags=-s -o bin/handler ./handler
mkdir -p dist
rm -f dist/app.zip
zip -q -X dist/app.zip host.json bin/handler upload-api/function.json outbox-relay/function.json parse-worker/function.json
