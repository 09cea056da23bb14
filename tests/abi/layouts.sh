#!/usr/bin/env bash
# layouts.sh COMPILER HEADERS RECORD [record]: compares what the ABI's headers tell a compiler with the
# record of their version. In 0.x a change takes a new version and a record of its own; from 1.0 on lines
# are only added. With `record` it writes the record.
set -euo pipefail
compiler=$1 headers=$(realpath "$2") record=$3 task=${4:-compare}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$(dirname "$0")/headers.sh"
mapfile -t files < <(list_headers "$headers")

awk -f "$(dirname "$0")/layouts.awk" "${files[@]}" >"$folder/layouts.c"
"$compiler" -std=c99 -Wall -Wextra -I"$headers" "$folder/layouts.c" -o "$folder/layouts"
"$folder/layouts" >"$folder/layouts.txt"

structs=$(cat "${files[@]}" | grep -c '^typedef struct sy_[a-z_]* {')
if [ "$(grep -c '^sy_[a-z_]* [0-9]*$' "$folder/layouts.txt")" -ne "$structs" ]; then
  echo "layouts.awk does not read all $structs structs of the headers"
  exit 1
fi
if [ "$task" = record ]; then
  cp "$folder/layouts.txt" "$record"
  exit
fi
diff -u "$record" "$folder/layouts.txt" && exit
echo "The layout is another than $record says: an incompatible change raises the ABI's version."
exit 1
