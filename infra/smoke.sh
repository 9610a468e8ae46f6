#!/usr/bin/env bash
# Asks a deployed app two things: whether it lives, and whether it lets in nobody who has not signed in. infra/smoke.sh https://HOST
set -euo pipefail
url=$1

curl --silent --show-error --fail --retry 30 --retry-delay 10 --retry-all-errors --max-time 60 --output /dev/null "$url/api/health"
status=$(curl --silent --show-error --max-time 60 --output /dev/null --write-out '%{http_code}' "$url/api/files")
case $status in
  302 | 401) echo "$url lives, and asks callers to sign in" ;;
  *) echo "$url/api/files answered $status to a caller who has not signed in"; exit 1 ;;
esac
