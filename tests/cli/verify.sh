#!/usr/bin/env bash
# verify on ONNX's own cases: right, wrong, skipped, and lists of what may be skipped.
source "$(dirname "$0")/expect.sh"
cases=/usr/share/libonnx-testdata/data/node

if [ ! -d "$cases" ]; then
  echo "skipped: $cases is not there; install libonnx-testdata"
  [ "${SWITCHYARD_REQUIRE_DATA:-0}" = 1 ] && exit 1
  exit 77
fi

expect 0 verify "$cases/test_relu" "$cases/test_add" --only cpu --list
says '^pass  test_relu'
says '^2 passed, 0 failed, 0 skipped of 2$'
is_silent
expect 0 verify "$cases/test_relu" --json
has_keys passed failed skipped cases/0/{name,status,max_error}

# A wrong result: the outputs of another case.
mkdir -p "$folder/wrong/test_data_set_0"
cp "$cases/test_relu/model.onnx" "$folder/wrong/"
cp "$cases/test_relu/test_data_set_0/input_0.pb" "$cases/test_abs/test_data_set_0/output_0.pb" \
  "$folder/wrong/test_data_set_0/"
expect 1 verify "$folder/wrong"
says "^fail  wrong: test_data_set_0: output 'y' differs in [0-9]+ of 60 elements, most at \["
says '^0 passed, 1 failed'
expect 0 verify "$folder/wrong" --atol 100
expect 1 verify "$folder/wrong" --ptol 1e-3
expect 1 verify "$folder/wrong" "$cases/test_relu" --json
has_keys cases/0/reason

# Nothing to compare with is not a success.
rm "$folder/wrong/test_data_set_0/output_0.pb"
expect 1 verify "$folder/wrong"
says '^fail  wrong: test_data_set_0: there is no output_\*.pb to compare with'
cp "$cases/test_relu/test_data_set_0/output_0.pb" "$folder/wrong/test_data_set_0/"

# The model from elsewhere.
rm "$folder/wrong/model.onnx"
expect 1 verify "$folder/wrong"
says 'skip  wrong: has no model.onnx; give its model with --model FILE'
complains_once 'nothing ran'
expect 0 verify "$folder/wrong" --model "$cases/test_relu/model.onnx"
expect 2 verify "$cases/test_relu" "$cases/test_add" --model "$cases/test_relu/model.onnx"
complains_once '--model: gives one case its model, and 2 were found'

# Nothing there.
mkdir "$folder/empty"
expect 1 verify "$folder/empty"
complains_once 'nothing ran: there is no model.onnx'
expect 2 verify "$folder/none"
complains_once '.*none: No such file or directory; name a folder'
expect 2 verify "$cases/test_relu" --only nobody
complains_once '.*nobody'

# What a device refuses is skipped with its reason, and a list may explain it.
with=(--config "$build/config/third-party.toml" --only template)
expect 0 verify "$cases/test_relu" "$cases/test_abs" "${with[@]}"
says '^skip  test_abs: .*template:0 refused \(OP\)'
echo 'Abs: template has three ops' >"$folder/skips"
expect 0 verify "$cases/test_relu" "$cases/test_abs" "${with[@]}" --skips "$folder/skips"
says '^skip  test_abs: template has three ops \('
expect 1 verify "$cases/test_relu" "$cases/test_abs" "${with[@]}" --max-skips 0
complains_once '1 cases were skipped, and --max-skips allows 0'
expect 1 verify "$cases/test_relu" "$cases/test_exp" "${with[@]}" --skips "$folder/skips"
says '^fail  test_exp: is skipped, which .*skips does not explain'
complains_once '.*skips:1: nothing is skipped for Abs; drop the line'
echo 'Exp: template has three ops' >>"$folder/skips"
expect 0 verify "$cases/test_relu" "$cases/test_exp" "${with[@]}" --skips "$folder/skips" \
  --allow-unused-skips
is_silent

done_with 'verify'
