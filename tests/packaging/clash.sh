#!/bin/sh
# Programs that have ONNX's classes themselves, by protobuf's compiler: as Debian makes them, as ONNX
# does, and of a newer ONNX. None may meet those that Switchyard reads models with.
#
#   clash.sh COMPILER BUILD SOURCE
set -eu

compiler=$1
build=$2
source=$3
here=$(cd "$(dirname "$0")" && pwd)
schema=/usr/include/onnx/onnx.proto

skip() {
  echo "SKIPPED: $1"
  [ "${SWITCHYARD_REQUIRE_DATA:-0}" != 1 ] || exit 1
  exit 77
}
command -v protoc >/dev/null || skip "protoc is not installed"
pkg-config --exists protobuf 2>/dev/null || skip "pkg-config does not know protobuf"
[ -f "$schema" ] || skip "$schema is absent; install libonnx-dev"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

try() {
  echo "--- $1"
  mkdir "$work/$1"
  sed "$2" "$schema" >"$work/$1/onnx.proto"
  protoc -I"$work/$1" --cpp_out="$work/$1" "$work/$1/onnx.proto"
  "$compiler" -std=c++20 -O0 -o "$work/$1/app" "$here/clash/app.cpp" "$work/$1/onnx.pb.cc" \
    -I"$work/$1" -I"$source/host/include" -I"$source/plugin-api/include" \
    -L"$build/lib" -lswitchyard -Wl,-rpath,"$build/lib" $(pkg-config --cflags --libs protobuf)
  "$work/$1/app" "$build/config/cpu-only.toml" "$source/host/examples/demo/fashion.onnx" \
    >"$work/$1/output"
  grep -qx '1 input, 17 nodes' "$work/$1/output" || { cat "$work/$1/output" && exit 1; }
}

whole='/optimize_for = LITE_RUNTIME/d'
try lite ''
try whole "$whole"
try newer "$whole
/^message NodeProto/a optional string newest = 99;"
