#!/usr/bin/env bash
# train: a run, one that is interrupted and goes on, what it writes, what it refuses.
source "$(dirname "$0")/expect.sh"
data=${FASHION_MNIST:-/usr/share/datasets/fashion-mnist}
if [ ! -d "$data" ]; then
  echo "SKIPPED: dataset-fashion-mnist is not installed"
  [ "${SWITCHYARD_REQUIRE_DATA:-0}" != 1 ] || exit 1
  exit 77
fi
train=(train fashion-mnist --config "$build/config/cpu-only.toml" --data "$data" --limit 128
  --batch-size 32 --seed 3)

expect 0 "${train[@]}" --epochs 2 --output "$folder/a.onnx" --checkpoint "$folder/a" \
  --curve "$folder/a.svg"
says '^ +2 +[0-9.]+ +[0-9.]+ %$'
says "^all epochs done on cpu:0"
complains '^training on cpu:0 '
grep -q '</svg>' "$folder/a.svg" || broken "the curve is not a picture"

# The model is one that is served.
expect 0 run "$folder/a.onnx" --random 1 --dim N=3 --config "$build/config/cpu-only.toml"
says 'logits +float32 +3x10 '

# One epoch and another one are two epochs, byte for byte, whatever number of workers.
expect 0 "${train[@]}" --epochs 2 --stop-after 1 --checkpoint "$folder/b" --workers 0
says '^stopped; .*--resume'
expect 0 "${train[@]}" --resume --output "$folder/b.onnx" --checkpoint "$folder/b" --workers 3 --json
has_keys device parameters complete settings/epochs epochs/1/{loss,accuracy} time_ms model
cmp "$folder/a" "$folder/b" || broken "the checkpoints differ"
cmp "$folder/a.onnx" "$folder/b.onnx" || broken "the models differ"

# Interrupted after some step, and gone on with: the same bytes. Without job control a shell starts
# what runs beside it with interrupts ignored, which the program respects.
set -m
"$program" "${train[@]}" --epochs 12 --checkpoint "$folder/c" >"$folder/stdout" 2>"$folder/stderr" &
set +m
until [ -e "$folder/c" ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
kill -INT $!
got=0
wait $! || got=$?
[ "$got" = 130 ] || broken "an interrupted run's exit code is $got, not 130"
says '^interrupted; .*--resume'
expect 0 "${train[@]}" --resume --checkpoint "$folder/c" --output "$folder/c.onnx"
expect 0 "${train[@]}" --epochs 12 --output "$folder/d.onnx"
cmp "$folder/c.onnx" "$folder/d.onnx" || broken "the interrupted run ended with another model"

for precision in bfloat16 float16; do
  expect 0 "${train[@]}" --epochs 1 --precision $precision --json
  says '"complete": true'
done

# Where it could not write, or would overwrite its own results, it does not begin.
mkdir "$folder/targets"
ln -s a.st "$folder/targets/link"
for option in --output --checkpoint --curve; do
  expect 2 "${train[@]}" --epochs 1000 $option "$folder/none/x"
  complains_once "$option: .*none/x: cannot write it: No such file or directory$"
  expect 2 "${train[@]}" --epochs 1000 $option "$folder/targets"
  complains_once "$option: .*targets: cannot write it: Is a directory$"
done
cp "$folder/a" "$folder/before"
for second in "$folder/a" "$folder/targets/../a"; do
  expect 2 "${train[@]}" --epochs 1000 --output "$folder/a" --checkpoint "$second"
  complains_once '--checkpoint: .*/a is the file of --output, too; give each its own$'
done
cmp "$folder/a" "$folder/before" || broken "a refused run changed a file"
expect 2 "${train[@]}" --epochs 1000 --checkpoint "$folder/targets/link" \
  --curve "$folder/targets/a.st"
complains_once '--curve: .*/a.st is the file of --checkpoint, too'
[ "$(ls -A "$folder/targets")" = link ] || broken "a refused run left files"

expect 2 "${train[@]}" --resume --checkpoint "$folder/a" --epochs 5
complains_once '--epochs 5: the run to go on with has 2'
expect 2 "${train[@]}" --resume
complains_once '--resume needs --checkpoint'
expect 2 "${train[@]}" --resume --checkpoint "$folder/none"
complains_once '.*none'

# A checkpoint that was changed, or is another program's, is refused by its name and the key.
changed() { sed "s/$1/$2/" "$folder/a" >"$folder/changed"; }
changed 'epochs\\":2' 'epochs\\":0'
expect 2 "${train[@]}" --resume --checkpoint "$folder/changed"
complains_once ".*changed: 'epochs' of its metadata entry 'settings' is 0; it must be an integer from 1"
changed 'epoch=2 ' 'epoch=9 '
expect 2 "${train[@]}" --resume --checkpoint "$folder/changed"
complains_once '.*changed: it is in epoch 9 of 2 and has the losses of 2'
changed 'position=0 ' 'position=x '
expect 2 "${train[@]}" --resume --checkpoint "$folder/changed"
complains_once '.*changed: .*is not a state of a loader'
expect 2 "${train[@]}" --precision int8
complains_once 'train: --precision'
expect 2 train fashion-mnist --data "$folder"
complains_once '.*train-images'
expect 1 "${train[@]}" --device nosuch
complains_once '.*nosuch'

done_with 'train'
