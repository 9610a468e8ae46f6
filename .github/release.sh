#!/usr/bin/env bash
# Builds what a release has for the given platforms into a folder: an archive with the command line and the app that `sheetdrop local` runs,
# an SBOM of each, and SHA256SUMS. The same commit and version of Go make the same bytes.
#   .github/release.sh dist linux/amd64 windows/arm64
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for platform in "$@"; do
  os=${platform%/*} arch=${platform#*/} exe=
  [ "$os" = windows ] && exe=.exe
  name=sheetdrop_${os}_$arch
  folder=$work/$name
  mkdir -p "$folder/app/bin"
  build() { CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath ${BUILDVCS:+-buildvcs=$BUILDVCS} -ldflags=-s -o "$1" "$2"; }
  build "$folder/sheetdrop$exe" ./cmd/sheetdrop
  build "$folder/app/bin/handler$exe" ./handler
  cp host.json "$folder/app/"
  for function in */function.json; do
    mkdir "$folder/app/${function%/*}"
    cp "$function" "$folder/app/$function"
  done
  go run ./internal/sbom "$folder/sheetdrop$exe" "$folder/app/bin/handler$exe" > "$out/$name.cdx.json"
  tar --create --directory "$work" --sort=name --mtime="@$(git log -1 --format=%ct 2>/dev/null || echo 0)" --owner=0 --group=0 --numeric-owner "$name" |
    gzip --no-name > "$out/$name.tar.gz"
done
cd "$out"
sha256sum -- *.tar.gz *.cdx.json > SHA256SUMS
