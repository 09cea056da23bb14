#!/bin/sh
# The library shows its own names alone, is named by its minor version as long as that may break
# programs, and needs no library whose names a program may have too.
#
#   exports.sh LIBRARY VERSION BINARY...
set -eu

library=$1
version=$2
shift 2

names=$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }')
echo "$names" | grep -v "@@SWITCHYARD_$version\$" && {
  echo "$library shows names without its version" && exit 1
}

foreign=$(echo "$names" |
  grep -vE '^_ZT[VTIS]?N10switchyard|^_ZGVN10switchyard|^_ZN[KRO]*10switchyard|^_ZT(hn|v0_n)|^swy_|^switchyard_abi_' || true)
[ -z "$foreign" ] || { echo "$library shows names that are not its own:" && echo "$foreign" && exit 1; }
nm -DC --defined-only "$library" | grep 'switchyard::onnx::' && {
  echo "$library shows the messages of model files" && exit 1
}

readelf -d "$library" | grep SONAME | grep -q "\[libswitchyard.so.$version\]" || {
  echo "$library is not named libswitchyard.so.$version:" && readelf -d "$library" && exit 1
}

for binary in "$library" "$@"; do
  readelf -d "$binary" | grep NEEDED | grep -iE 'onnx|protobuf' && {
    echo "$binary needs ONNX or protobuf" && exit 1
  }
  nm -DC --undefined-only "$binary" | grep -E '[^:]onnx::|google::protobuf' && {
    echo "$binary uses names of ONNX or protobuf" && exit 1
  }
done
exit 0
