#!/bin/sh
# Installs a build, has the installed program write a plugin, builds that against the install alone, and
# holds it against plugin.h (`switchyard conform`) and ONNX's cases of its ops.
#
#   new_plugin.sh CMAKE BUILD LANGUAGE C_COMPILER CXX_COMPILER
set -eu

cmake=$1
build=$2
language=$3
c_compiler=$4
cxx_compiler=$5
cases=/usr/share/libonnx-testdata/data/node

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
step() { echo "--- $1"; }
expect() {
  grep -qE -- "$1" "$work/output" || {
    echo "expected: $1" && echo "printed:" && cat "$work/output" && exit 1
  }
}

step "install"
"$cmake" --install "$build" --prefix "$prefix" >/dev/null
switchyard=$prefix/bin/switchyard

step "switchyard new-plugin acme --language $language"
mkdir "$work/mine"
cd "$work/mine"
"$switchyard" new-plugin acme --language "$language" >"$work/output"
expect "cmake -S \. -B build -DCMAKE_PREFIX_PATH=\"$prefix\""
cp "$work/output" "$work/steps"
if grep -rnE 'template(_c|\.|;|`| =|"|/)' acme; then
  echo "the project has the name of the plugin that it was copied from" && exit 1
fi

step "it builds as it says, without a warning"
export CC="$c_compiler" CXX="$cxx_compiler"
cd acme
grep -E '^  cmake ' "$work/output" | sed 's/&& .*//' >"$work/configure"
sh "$work/configure" >"$work/log" 2>&1 && "$cmake" --build build >>"$work/log" 2>&1 || {
  cat "$work/log"
  exit 1
}
if grep -i 'warning:' "$work/log"; then exit 1; fi

step "its configuration loads it"
"$switchyard" devices --config acme.toml >"$work/output"
expect '^acme '
expect 'acme:0 +available'
"$switchyard" doctor --config acme.toml --device acme >"$work/output" || { cat "$work/output" && exit 1; }
expect 'ok +Add: Add of two 64x64 is right'

step "it conforms, unchanged"
grep -E '^  switchyard conform ' "$work/steps" | sed "s|^  switchyard|'$switchyard'|" >"$work/conform"
sh "$work/conform" >"$work/output" || { cat "$work/output" && exit 1; }
expect '^[1-9][0-9]* passed, 0 failed, 0 crashed, 0 hung'

step "ONNX's cases of its ops pass on it"
if [ ! -d "$cases" ]; then
  echo "SKIPPED: libonnx-testdata is not installed"
  [ "${SWITCHYARD_REQUIRE_DATA:-0}" != 1 ] || exit 1
  exit 77
fi
for case in test_add test_add_bcast test_mul test_mul_bcast test_mul_example test_relu; do
  "$switchyard" verify "$cases/$case" --only acme --list --config acme.toml >"$work/output" || {
    cat "$work/output" && exit 1
  }
  expect "^pass  $case"
done

step "of all others, none fails"
"$switchyard" verify "$cases" --only acme --config acme.toml --json >"$work/output" || {
  grep -B 2 -A 2 '"fail"' "$work/output"
  exit 1
}
expect '"failed": 0'

step "an op is added as plugin-api/README.md says"
case $language in
  c) file=ops.def after='OP(Add,' row='OP(Sub, 2, 7, 14, a - b)' ;;
  *) file=ops.hpp after='{"Add",' row='{"Sub", 2, 7, 14, [](float a, float b) { return a - b; }},' ;;
esac
awk -v after="$after" -v row="$row" '{ print } index($0, after) { print row }' "$file" >"$work/edited"
cp "$work/edited" "$file"
"$cmake" --build build >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
"$switchyard" verify "$cases/test_sub" --only acme --list --config acme.toml >"$work/output" || {
  cat "$work/output" && exit 1
}
expect '^pass  test_sub'
"$switchyard" conform build/plugins/libswitchyard_acme.* --only 'kernels/Sub/*' >"$work/output" || {
  cat "$work/output" && exit 1
}
expect '^[1-9][0-9]* passed, 0 failed, 0 crashed, 0 hung'
