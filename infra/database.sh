#!/usr/bin/env bash
# Brings a deployed server to this checkout: the database, the login of the app, the schema, the rights of the app. Running it again does no harm.
#   PGHOST         the server                                    (output databaseHost of main.bicep)
#   PGUSER         its administrator, as Entra names it; `az` must be signed in as it, or as a member of the group
#   APP_LOGIN      the app's identity                            (output identityName)
#   APP_OBJECT_ID  its object id                                 (output identityObjectId)
# Needs az and Go.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
: "${PGHOST:?}" "${PGUSER:?}" "${APP_LOGIN:?}" "${APP_OBJECT_ID:?}"

PGPASSWORD=$(az account get-access-token --resource-type oss-rdbms --query accessToken --output tsv)
export PGPASSWORD PGSSLMODE=verify-full
go run ./cmd/sheetdrop provision
