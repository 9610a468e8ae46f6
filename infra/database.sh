#!/usr/bin/env bash
# Brings a deployed database to this checkout: the login of the app, the schema, the rights of the app. Running it again does no harm.
#   PGHOST         the server                                    (output databaseHost of main.bicep)
#   PGUSER         its administrator, as Entra names it; `az` must be signed in as it, or as a member of the group
#   APP_LOGIN      the app's identity                            (output identityName)
#   APP_OBJECT_ID  its object id                                 (output identityObjectId)
# Needs az, psql 16 or newer, and Go.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if ! [[ $(psql --version) =~ \ ([0-9]+) ]] || [ "${BASH_REMATCH[1]}" -lt 16 ]; then
  echo "psql is needed, 16 or newer: older ones cannot check the server's certificate by those of the system"
  exit 1
fi
: "${PGHOST:?}" "${PGUSER:?}" "${APP_LOGIN:?}" "${APP_OBJECT_ID:?}"

PGPASSWORD=$(az account get-access-token --resource-type oss-rdbms --query accessToken --output tsv)
export PGPASSWORD PGSSLMODE=verify-full PGSSLROOTCERT=system

run_sql() { # run_sql DATABASE FILE
  PGDATABASE=$1 PGOPTIONS="-c sheetdrop.login=$APP_LOGIN -c sheetdrop.object_id=$APP_OBJECT_ID" \
    psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --file="$2"
}

run_sql postgres infra/sql/login.sql
PGDATABASE=sheetdrop DATABASE_URL='' DATA_STORAGE='' go run ./cmd/sheetdrop migrate
run_sql sheetdrop infra/sql/application-role.sql
