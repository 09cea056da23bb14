#!/bin/sh
# One row of smoke.txt: the model on random inputs, split between two devices and on one alone.
#
#   compare_routes.sh SWITCHYARD CONFIG CACHE NAME MODEL [--dim NAME=N]...
#
# CONFIG orders both devices. What is absent is skipped as in verify_model.sh.
set -eu

switchyard=$1
config=$2
cache=$3
name=$4
model=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)

status=0
folder=$("$here/fetch.sh" "${model%:*}" "$cache") || status=$?
if [ $status -eq 77 ]; then
  echo "SKIPPED: $model cannot be fetched"
  [ "${SWITCHYARD_REQUIRE_DATA:-0}" != 1 ] || exit 1
fi
[ $status -eq 0 ] || exit $status
file=$folder/${model##*:}

# The outputs of one route are the expected ones of the other: a case in ONNX's layout.
case=$cache/routes_$name
rm -rf "$case"
mkdir -p "$case/alone" "$case/split"
"$switchyard" run "$file" --config "$config" --order cpu --random 1 "$@" --output-dir "$case/alone"
"$switchyard" run "$file" --config "$config" --random 1 "$@" --output-dir "$case/split"
for output in "$case"/alone/*.npy; do
  cmp "$output" "$case/split/$(basename "$output")" || exit 1
done
echo "equal: $(ls "$case/alone" | wc -l) outputs"
