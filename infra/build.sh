#!/usr/bin/env bash
# Compiles every Bicep file. A warning fails here, because what the compiler only warns about, such as an unknown property, would fail in the
# middle of a deployment. Needs az, which includes the compiler.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/bicep"

# The parameter files read these.
export AUTH_CLIENT_ID=00000000-0000-0000-0000-000000000000 ALERT_EMAIL=nobody@example.com BUDGET_START_DATE=2026-01-01
export DATABASE_ADMIN_ID=00000000-0000-0000-0000-000000000000 DATABASE_ADMIN_NAME=nobody

compile() { # compile COMMAND FILE
  local said
  said=$(az bicep "$1" --file "$2" --stdout 2>&1 >/dev/null) || { echo "$said"; return 1; }
  ! grep -E ': (Warning|Error) ' <<<"$said"
}

for file in main.bicep owner.bicep; do compile build "$file"; done
for file in *.bicepparam; do compile build-params "$file"; done
