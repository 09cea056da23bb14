#!/usr/bin/env bash
# right.sh PROGRAM PLUGIN CASES ARGUMENT...: conform passes the plugin in the cases of that pattern.
set -euo pipefail

program=$1 plugin=$2 cases=$3
shift 3
unset SWITCHYARD_CONFIG SWITCHYARD_LOG
output=$("$program" conform "$plugin" --only "$cases" --timeout 600 "$@" 2>&1) ||
  { echo "$output"; exit 1; }
grep -qE '^[1-9][0-9]* passed, 0 failed, 0 crashed, 0 hung' <<<"$output" || { echo "$output"; exit 1; }
