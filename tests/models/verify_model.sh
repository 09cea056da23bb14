#!/bin/sh
# One row of models.txt: the model's outputs against those of onnxruntime.
#
#   verify_model.sh SWITCHYARD CONFIG CACHE MODEL DATA TOLERANCE
#
# SWITCHYARD_SHARED names the folder whose models/ holds the data. What is absent is skipped (77),
# saying so; with SWITCHYARD_REQUIRE_DATA=1 it fails, but for a SWITCHYARD_SHARED that is not there.
set -eu

switchyard=$1
config=$2
cache=$3
model=$4
data=$SWITCHYARD_SHARED/models/$5
tolerance=$6
here=$(cd "$(dirname "$0")" && pwd)

absent() {
  echo "SKIPPED: $1"
  [ "${SWITCHYARD_REQUIRE_DATA:-0}" != 1 ] || exit 1
  exit 77
}

case $model in
  shared) file=$data/model.onnx ;;
  *)
    status=0
    folder=$("$here/fetch.sh" "${model%:*}" "$cache") || status=$?
    [ $status -ne 77 ] || absent "$model cannot be fetched"
    [ $status -eq 0 ] || exit 1
    file=$folder/${model##*:}
    ;;
esac

if [ ! -d "$SWITCHYARD_SHARED/models" ]; then
  echo "SKIPPED: there are no expected outputs in $SWITCHYARD_SHARED/models"
  exit 77
fi
[ -d "$data" ] || absent "there is no $data"

case $tolerance in
  plain) flags="--ptol 1e-4 --atol 1e-5" ;;
  loose) flags="--ptol 1e-3 --atol 1e-5" ;;
  one_step) flags="--ptol 1e-4 --atol 1e-5 --quantization-steps 1" ;;
  atol:*) flags="--rtol 0 --atol ${tolerance#atol:}" ;;
  *) echo "models.txt: no tolerance is called $tolerance" && exit 1 ;;
esac
# shellcheck disable=SC2086 # the flags are several words
exec "$switchyard" verify "$data" --model "$file" --config "$config" --list $flags
