#!/bin/sh
# Does what plugin-api/README.md tells an outside author to do: copies the template and adds an op
# to the copy by adding its row.
#
#   add_op.sh TEMPLATE COPY      TEMPLATE: the folder of the template, in the tree or installed
#                                COPY: a folder to make; it must not exist
set -eu

if [ $# -ne 2 ] || [ ! -f "$1/ops.hpp" ] || [ -e "$2" ]; then
  echo "usage: add_op.sh TEMPLATE COPY, where TEMPLATE holds ops.hpp and COPY does not exist" >&2
  exit 2
fi

cp -R "$1" "$2"
chmod -R u+w "$2"
awk '
  { print }
  /^    \{"Add", / { print "    {\"Sub\", 2, 7, 14, [](float a, float b) { return a - b; }},"; rows++ }
  END { exit rows == 1 ? 0 : 1 }
' "$1/ops.hpp" > "$2/ops.hpp" || {
  echo "add_op.sh: $1/ops.hpp has no row of Add to put Sub after" >&2
  exit 1
}
