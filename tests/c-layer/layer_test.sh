#!/bin/sh
# Compiles layer_test.c as strict C99 without a warning, by each C compiler of this machine, and runs
# it. Each header compiles alone, too.
#
#   layer_test.sh SOURCE COMPILER
set -eu

source=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for compiler in "$@" gcc clang; do
  command -v "$compiler" >/dev/null || continue
  for sanitizer in "" -fsanitize=undefined,address; do
    echo "$compiler $sanitizer"
    # shellcheck disable=SC2086  # an empty option is none
    "$compiler" -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror $sanitizer \
      -I"$source/plugin-api/include" -I"$source/plugin-api/c" \
      -o "$work/layer_test" "$here/layer_test.c"
    "$work/layer_test"
  done
done
for header in "$source"/plugin-api/c/switchyard/plugin/*.h; do
  "$1" -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c -include "$header" /dev/null \
    -I"$source/plugin-api/include" -I"$source/plugin-api/c"
done
