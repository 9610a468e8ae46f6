#!/usr/bin/env bash
# Sets up a deployed server for this checkout: the database, the app's login, the schema and the app's privileges. Idempotent.
#   PGHOST         the server                                    (output databaseHost of main.bicep)
#   PGUSER         its administrator, as Entra names it; `az` must be signed in as this administrator, or as a member of the group
#   APP_LOGIN      the app's identity                            (output identityName)
#   APP_OBJECT_ID  its object id                                 (output identityObjectId)
# Needs az and Go.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
: "${PGHOST:?}" "${PGUSER:?}" "${APP_LOGIN:?}" "${APP_OBJECT_ID:?}"

PGPASSWORD=$(az account get-access-token --resource-type oss-rdbms --query accessToken --output tsv)
export PGPASSWORD PGSSLMODE=verify-full
go run ./cmd/sheetdrop provision
