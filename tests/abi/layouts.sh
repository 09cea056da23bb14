#!/usr/bin/env bash
# layouts.sh COMPILER HEADERS RECORD: compares what the ABI's headers tell a compiler with the record of
# their version. In 0.x a change takes a new version and a record of its own; from 1.0 on lines are
# only added.
set -euo pipefail
compiler=$1 headers=$2 record=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk -f "$(dirname "$0")/layouts.awk" "$headers"/switchyard/{plugin,kernels,ops,layer,collectives}.h >"$folder/layouts.c"
"$compiler" -std=c99 -Wall -Wextra -I"$headers" "$folder/layouts.c" -o "$folder/layouts"
"$folder/layouts" >"$folder/layouts.txt"

structs=$(grep -hc '^typedef struct sy_[a-z_]* {' "$headers"/switchyard/{plugin,kernels,ops,layer,collectives}.h |
  awk '{ count += $1 } END { print count }')
if [ "$(grep -c '^sy_[a-z_]* [0-9]*$' "$folder/layouts.txt")" -ne "$structs" ]; then
  echo "layouts.awk does not read all $structs structs of the headers"
  exit 1
fi
diff -u "$record" "$folder/layouts.txt" && exit
echo "The layout is another than $record says: an incompatible change raises the ABI's version."
exit 1
