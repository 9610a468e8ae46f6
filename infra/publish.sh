#!/usr/bin/env bash
# Publishes a package and waits until it is deployed: infra/publish.sh https://APP.scm.azurewebsites.net dist/app.zip
# `az` must be signed in. Publishing is idempotent, so the package is sent again if there is no response.
#   PUBLISH_SECONDS  timeout for everything            (900)
#   PUBLISH_PAUSE    seconds between two requests      (5)
# az and func can publish, too, but afterwards they query /admin/host/status, which the app does not expose, and report an error although all is well.
set -euo pipefail
site=$1 package=$2 deadline=$((SECONDS + ${PUBLISH_SECONDS:-900}))

token=$(az account get-access-token --resource https://management.azure.com --query accessToken --output tsv)
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

ask() { # ask PATH CURL-OPTION…: prints the status, 000 if there is no response; the body is in $answer
  : >"$answer"
  curl --silent --connect-timeout 30 --max-time 60 --output "$answer" --write-out '%{http_code}' \
    --config <(printf 'header = "Authorization: Bearer %s"' "$token") "${@:2}" "$site$1" || true
}

wait_on() { # wait_on WHAT: waits before the next attempt; exits when the timeout is over
  [ $SECONDS -lt $deadline ] || { echo "given up: $1"; exit 1; }
  sleep "${PUBLISH_PAUSE:-5}"
}

send() { # sets $id to the id of the deployment, or to "latest" if there is none
  local status
  while :; do
    status=$(ask '/api/publish?RemoteBuild=false' --max-time 600 --header 'Content-Type: application/zip' --data-binary "@$package")
    case $status in
      200 | 202) break ;;
      000 | 409 | 429 | 5??) wait_on "the package was not taken: $status $(cat "$answer")" ;; # 409: another deployment is in progress, perhaps this one
      *) echo "the package is refused: $status $(cat "$answer")"; exit 1 ;;
    esac
  done
  if [[ $(cat "$answer") =~ ^\"?([A-Za-z0-9-]+)\"?$ ]]; then id=${BASH_REMATCH[1]}; else id=latest; fi
}

await() { # states as in DeployStatus.cs of Azure/azure-functions-core-tools, and in oneDeployFlex of Azure/functions-action
  local status state
  while :; do
    status=$(ask "/api/deployments/$id")
    state=
    case $status in
      200 | 202) state=$(grep -oE '"status": *-?[0-9]+' "$answer" | head -n 1 | grep -oE -- '-?[0-9]+$' || true) ;;
      401 | 403) echo "the deployment may not be watched: $status"; exit 1 ;;
    esac
    case $state in
      4) echo "deployed"; return ;;
      6) echo "deployed in part: $(cat "$answer")"; return ;;                          # the smoke test decides
      -1 | 3 | 5) echo "not deployed: $(cat "$answer")"; ask "/api/deployments/$id/log" >/dev/null; cat "$answer"; exit 1 ;; # canceled, failed, in conflict
      *) wait_on "the deployment has not ended: $status $(cat "$answer")" ;;           # 0 pending, 1 building, 2 deploying, or no response
    esac
  done
}

send
echo "sent, deployment $id"
await
