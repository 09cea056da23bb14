#!/usr/bin/env bash
# types.sh COMPILER HEADERS RECORD [record]: compares the types that the ABI's headers declare with the
# record of their version, by abidiff: what layouts.sh cannot see, as a function's arguments. With
# `record` it writes the record, by abidw.
set -euo pipefail
compiler=$1 headers=$(realpath "$2") record=$3 task=${4:-compare}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$(dirname "$0")/headers.sh"
mapfile -t files < <(list_headers "$headers")

# A library whose one function names every struct: what is reachable from it is the ABI.
{
  printf '#include "%s"\n' "${files[@]}"
  cat "${files[@]}" | awk '
    /^typedef struct sy_[a-z_]* \{/ { parameters = parameters (parameters ? ", " : "") $3 "* a" ++count }
    END { printf "void types(%s);\nvoid types(%s) {}\n", parameters, parameters }'
} >"$folder/types.c"
"$compiler" -std=c99 -g -O0 -shared -fPIC -Wno-unused-parameter -I"$headers" "$folder/types.c" \
  -o "$folder/types.so"

if [ "$task" = record ]; then
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs "$folder/types.so" >"$record"
  exit
fi
abidiff "$record" "$folder/types.so" && exit
echo "The types are others than $record says: an incompatible change raises the ABI's version."
exit 1
