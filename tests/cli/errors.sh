#!/usr/bin/env bash
# Command lines, configurations and models that are wrong: one line on stderr, exit code 2.
source "$(dirname "$0")/expect.sh"

# The command line.
expect 2
complains_once 'A subcommand is required; see `switchyard --help`$'
expect 2 rnu
complains_once "there is no subcommand 'rnu'; did you mean 'run'\?; see"
expect 2 run
complains_once 'run: .*MODEL is required; see `switchyard run --help`$|run: model is required'
expect 2 run "$model" --no-such-flag
complains_once 'run: .*--no-such-flag'
expect 2 run "$model" --random x
complains_once 'run: .*--random'
expect 2 run "$model" --random 1 --repeat 0
complains_once 'run: .*--repeat'
expect 2 run "$model" --random 1 --dim N
complains_once "--dim: 'N' is not NAME=VALUE"
expect 2 run "$model" --random 1 --dim n=1
complains_once ".*no free extent 'n'"
expect 2 devices --set nonsense
complains_once '.*nonsense'
expect 2 bench --config a.toml --config b.toml
complains_once 'bench: several --config'

# An empty value, as of a script's unset variable: of every option that takes one.
options=0
for subcommand in devices ops doctor config run verify explain bench train new-plugin; do
  expect 0 "$subcommand" --help
  # What must be there: newer versions of CLI11 ask for it before they look at values.
  case $subcommand in
    run | explain | bench) needed=("$model") ;;
    verify) needed=("$folder") ;;
    train) needed=(fashion-mnist) ;;
    new-plugin) needed=("$folder") ;;
    *) needed=() ;;
  esac
  for option in $(sed -nE 's/^ +(--[a-z-]+) [A-Z].*/\1/p' "$folder/stdout"); do
    for empty in "$option=" "$option"; do
      words=("$empty")
      [ "$empty" != "$option" ] || words+=("")
      expect 2 "$subcommand" "${needed[@]}" "${words[@]}" --json
      complains_once "$subcommand: .*$option: .*(is empty; give one, or leave it out| not in \\{)"
      options=$((options + 1))
    done
  done
done
[ "$options" -gt 80 ] || broken "the help texts list only $options options that take a value"
expect 2 verify "" --only cpu
complains_once 'verify: folders: its value is empty'
expect 2 run ""
complains_once 'run: model: its value is empty'

# Help.
expect 0 --version
says '^switchyard [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 --help
for subcommand in devices ops doctor config run verify explain bench train new-plugin; do
  says "^  $subcommand "
done
for subcommand in devices ops doctor config run verify explain bench; do
  expect 0 "$subcommand" --help
  says '^Examples:'
  for flag in --order --set --json --config; do says "^ +$flag"; done
  is_silent
done

# The configuration: file, line, column, key and the nearest known one.
cat >"$folder/typo.toml" <<'TOML'
[routing]
odrer = ["cpu"]
[plugins.cpu]
TOML
for command in devices ops doctor config "run $model" "verify $folder" "explain $model" bench; do
  expect 2 $command --config "$folder/typo.toml"
  complains_once ".*typo.toml:2:1: key 'routing.odrer' is not known; did you mean 'routing.order'"
done
expect 2 config --config "$folder/none.toml"
complains_once '.*none.toml'
expect 2 config --set routing.fallback=wran
complains_once '.*routing.fallback'

# The model.
expect 2 run "$folder/none.onnx" --random 1
complains_once '.*none.onnx'
head -c 5000 "$model" >"$folder/short.onnx"
expect 2 run "$folder/short.onnx" --random 1
complains_once '.*short.onnx'
echo 'this is not a model' >"$folder/text.onnx"
expect 2 explain "$folder/text.onnx"
complains_once '.*text.onnx'

# Its inputs.
expect 2 run "$model"
complains_once "input 'x' is missing; give --input x=FILE.npy, or --random SEED"
expect 2 run "$model" --input y=a.npy
complains_once "--input: the model has no input 'y'; its inputs are: x"
expect 2 run "$model" --input "x=$folder/none.npy"
complains_once '.*none.npy'
head -c 60 "$model" >"$folder/x.npy"
expect 2 run "$model" --input "x=$folder/x.npy"
complains_once '.*x.npy'

done_with 'wrong command lines, configurations and models'
