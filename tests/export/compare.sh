#!/bin/sh
# Exported networks against onnxruntime, which npm installs once into the cache of the benchmarks.
# Without node or npm's packages it is skipped (77), saying so; with SWITCHYARD_REQUIRE_DATA=1 that
# fails.
#
#   compare.sh SWITCHYARD_EXPORT_CASES FOLDER
set -eu

here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
"$1" "$2"

absent() {
  echo "SKIPPED: $1"
  [ "${SWITCHYARD_REQUIRE_DATA:-0}" != 1 ] || exit 1
  exit 77
}

command -v node >/dev/null || absent "node is not installed"
status=0
node "$here/compare.mjs" "$2" "${XDG_CACHE_HOME:-$HOME/.cache}/switchyard/bench" || status=$?
[ $status -ne 77 ] || absent "onnxruntime is not installed"
exit $status
