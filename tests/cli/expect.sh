# Read by the tests beside it: runs the program and holds what it says against what is expected.
set -euo pipefail

program=$1 build=$2 source=$3
model=$source/host/examples/demo/fashion.onnx
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset NO_COLOR SWITCHYARD_CONFIG SWITCHYARD_LOG
checks=0

broken() {
  echo "FAILED: $*"
  echo "--- stdout"
  cat "$folder/stdout"
  echo "--- stderr"
  cat "$folder/stderr"
  exit 1
}

# expect CODE ARGUMENT...: runs the program, and asserts its exit code.
expect() {
  local code=$1 got=0
  shift
  "$program" "$@" >"$folder/stdout" 2>"$folder/stderr" || got=$?
  [ "$got" = "$code" ] || broken "switchyard $*: exit code $got, expected $code"
  checks=$((checks + 1))
}

# says PATTERN, complains PATTERN: asserts that a line of stdout or stderr matches.
says() { grep -qE -- "$1" "$folder/stdout" || broken "stdout has no line with: $1"; }
complains() { grep -qE -- "$1" "$folder/stderr" || broken "stderr has no line with: $1"; }
is_silent() { [ ! -s "$folder/stderr" ] || broken "stderr ought to be empty"; }

# One line that says what, where, and how to fix it.
complains_once() {
  complains "^switchyard: error: $1"
  [ "$(grep -c '' "$folder/stderr")" = 1 ] || broken "stderr ought to be one line"
}

# has_keys PATH...: asserts that stdout is JSON with something under each path a/b/0.
has_keys() {
  cmake -DFILE="$folder/stdout" -DPATHS="$(IFS=';' && echo "$*")" -P "$source/tests/cli/json.cmake" ||
    broken "stdout lacks a key of: $*"
}

done_with() { echo "$checks runs of $1 as expected"; }
