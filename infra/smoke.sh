#!/usr/bin/env bash
# Checks that a deployed app is up, and that the platform rejects callers who have not signed in, whatever identity they claim.
# infra/smoke.sh https://HOST
set -euo pipefail
url=$1

refused() { # refused CURL-OPTION…: fails unless the platform asks the caller to sign in. A problem document would come from the handler itself.
  local status type
  read -r status type < <(curl --silent --show-error --max-time 60 --output /dev/null --write-out '%{http_code} %{content_type}\n' "$@" "$url/api/tasks?all=true")
  case "$status $type" in
    *" application/problem+json"*) echo "$url answers by itself ($status): sign-in is off, and callers may say who they are"; exit 1 ;;
    "302 "* | "401 "*) ;;
    *) echo "$url answered $status to a caller who has not signed in"; exit 1 ;;
  esac
}

operator='{"auth_typ":"aad","claims":[{"typ":"tid","val":"nobody"},{"typ":"oid","val":"nobody"},{"typ":"roles","val":"operator"}]}'

curl --silent --show-error --fail --retry 30 --retry-delay 10 --retry-all-errors --max-time 60 --output /dev/null "$url/api/health"
refused
refused --header "X-MS-CLIENT-PRINCIPAL: $(printf %s "$operator" | base64 | tr -d '\n')"
echo "$url lives, and asks callers to sign in"
