#!/bin/sh
# Installs a build into a folder of its own and uses it as a stranger would.
#
#   installed_tree.sh CMAKE BUILD SOURCE COMPILER
set -eu

cmake=$1
build=$2
source=$3
compiler=$4
here=$(cd "$(dirname "$0")" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
step() { echo "--- $1"; }
expect() {
  grep -qF -- "$1" "$work/output" || {
    echo "expected: $1" && echo "printed:" && cat "$work/output" && exit 1
  }
}

step "install"
"$cmake" --install "$build" --prefix "$prefix" >/dev/null
configure() {
  "$cmake" -S "$1" -B "$2" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 && "$cmake" --build "$2" >>"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
  }
}

step "what ./dev demo does not build is not missed"
plugin=$(find "$build/plugins" -name 'libswitchyard_null.*')
mv "$plugin" "$work/"
trap 'mv "$work/$(basename "$plugin")" "$plugin"; rm -rf "$work"' EXIT
"$cmake" --install "$build" --prefix "$work/part" >/dev/null
find "$work/part" -name switchyard-config.cmake | grep -q . || {
  echo "the install ends before the CMake package" && exit 1
}
mv "$work/$(basename "$plugin")" "$plugin"
trap 'rm -rf "$work"' EXIT

step "the installed program finds its plugins and its configuration"
"$prefix/bin/switchyard" devices >"$work/output"
expect "cpu:0"

step "the examples of its help that name no file run"
for command in devices config ops; do
  "$prefix/bin/switchyard" $command --help | sed -n 's/^  switchyard //p' >"$work/examples"
  [ -s "$work/examples" ] || { echo "$command --help has no example" && exit 1; }
  while read -r arguments; do
    # shellcheck disable=SC2086  # words of a command line
    "$prefix/bin/switchyard" $arguments >"$work/output" 2>&1 || {
      echo "switchyard $arguments" && cat "$work/output" && exit 1
    }
  done <"$work/examples"
done

step "the installed program trains a network that it serves"
if [ -d "${FASHION_MNIST:-/usr/share/datasets/fashion-mnist}" ]; then
  "$prefix/bin/switchyard" train fashion-mnist --limit 100 --epochs 1 --output "$work/net.onnx" \
    >"$work/output" 2>"$work/log" || { cat "$work/log" && exit 1; }
  expect "model $work/net.onnx"
  "$prefix/bin/switchyard" run "$work/net.onnx" --random 1 >"$work/output"
  expect "logits  float32  1x10"
else
  echo "SKIPPED: dataset-fashion-mnist is not installed"
  [ "${SWITCHYARD_REQUIRE_DATA:-0}" != 1 ] || exit 1
fi

step "a plugin made of the template's copy, with an op added"
"$source/tests/template/add_op.sh" "$source/plugin-api/template" "$work/plugin"
configure "$work/plugin" "$work/plugin-build"
library=$(find "$work/plugin-build" -name 'libswitchyard_template.*' | head -n 1)
[ -n "$library" ] || { echo "the copy built no plugin" && exit 1; }

step "a host app"
configure "$here/host-app" "$work/app-build"
cat >"$work/app.toml" <<TOML
[routing]
order = ["mine", "cpu"]
fallback = "allow"
[plugins.mine]
library = "$library"
required = true
[plugins.cpu]
required = true
TOML
"$work/app-build/app" "$work/app.toml" >"$work/output"
expect "Sub on mine:0: 9 18 27"
expect "Exp on cpu:0: 1"

library_folder=$(dirname "$(find "$prefix" -name 'libswitchyard.*' | head -n 1)")
compile_app() {
  "$compiler" -std=c++20 -I"$prefix/include" "$@" "$here/host-app/app.cpp" \
    -L"$library_folder" -lswitchyard -o "$work/app-of-another-mode" >"$work/output" 2>&1
}

step "a program without type information can use the headers"
compile_app -fno-rtti || { cat "$work/output" && exit 1; }

if echo '#include <version>' | "$compiler" -std=c++20 -dM -E -x c++ - | grep -q __GLIBCXX__; then
  step "a program whose standard library is of another mode does not link"
  for mode in -D_GLIBCXX_DEBUG:libstdcxx_debug -D_GLIBCXX_USE_CXX11_ABI=0:libstdcxx_old_strings; do
    if compile_app "${mode%:*}"; then echo "linked with ${mode%:*}" && exit 1; fi
    expect "${mode#*:}"
  done
fi

step "the same app with the default configuration of the install"
env -u SWITCHYARD_CONFIG "$work/app-build/app" >"$work/output"
expect "Sub on cpu:0: 9 18 27"

step "a program that was written against 0.1 compiles and runs"
env -u SWITCHYARD_CONFIG "$work/app-build/archived_0_1" "$source/host/examples/demo/fashion.onnx" \
  >"$work/output" 2>&1 || { cat "$work/output" && exit 1; }
expect "0.1 works on cpu:0"

step "the install may be moved"
mv "$prefix" "$work/moved"
"$work/moved/bin/switchyard" devices >"$work/output"
expect "cpu:0"
