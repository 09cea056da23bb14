#!/usr/bin/env bash
# archive.sh SOURCE_TREE FOLDER: builds the sample plugins as they are kept for ever, to be loaded by every
# later host. Only for a version of the ABI that no release has yet: after one its binaries stay.
set -euo pipefail
tree=$1/plugin-api folder=$2
shared=(-Os -s -shared -fPIC -fvisibility=hidden "-I$tree/include"
  "-Wl,--version-script=$1/cmake/plugin-exports.map")

mkdir -p "$folder"
gcc -std=c99 "${shared[@]}" "-I$tree/c" '-DPLUGIN_NAME="template_c"' "$tree"/template-c/*.c \
  -o "$folder/template_c.so"
g++ -std=c++20 "${shared[@]}" -fvisibility-inlines-hidden -fno-gnu-unique "-I$tree/cpp" \
  '-DPLUGIN_NAME="template"' "$tree"/template/*.cpp -pthread -o "$folder/template.so"
