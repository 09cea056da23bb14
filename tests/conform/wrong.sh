#!/usr/bin/env bash
# wrong.sh PROGRAM PLUGIN CASE REASON [TIMEOUT]: conform fails the plugin in that case, for that reason;
# with the case *, all cases are tried, none fails, and conform says why the plugin does not pass even so.
set -euo pipefail

program=$1 plugin=$2 case=$3 reason=$4 timeout=${5:-60}
unset SWITCHYARD_CONFIG SWITCHYARD_LOG
code=0
output=$("$program" conform "$plugin" --only "$case" --timeout "$timeout" --jobs 1 2>&1) || code=$?
[ "$code" = 1 ] || { echo "exit code $code, expected 1: $output"; exit 1; }
case $case in
  '*') expected="^switchyard: error: .*($reason)" counts=' 0 failed, 0 crashed, 0 hung' ;;
  *) expected="^(FAIL |CRASH|HANG ) $case: .*($reason)" counts='' ;;
esac
grep -qE "$expected" <<<"$output" && grep -qF "$counts" <<<"$output" || {
  echo "$case does not fail with: $reason"
  echo "$output"
  exit 1
}
