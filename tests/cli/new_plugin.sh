#!/usr/bin/env bash
# What `switchyard new-plugin` writes, and what it refuses. (That it builds and computes is
# tests/packaging/new_plugin.sh's to show.)
source "$(dirname "$0")/expect.sh"

program=$(realpath "$program")
mkdir "$folder/work"
cd "$folder/work"

# wrote FILE...: the folder acme holds these alone.
wrote() {
  local found
  found=$(cd acme && find . -type f | sed 's|^\./||' | LC_ALL=C sort | tr '\n' ' ')
  [ "$found" = "$* " ] || broken "acme holds $found"
}

expect 0 new-plugin acme
says '^acme holds a plugin'
says '^  switchyard devices --config acme\.toml$'
says '^  switchyard conform build/plugins/libswitchyard_acme\.[a-z]*$'
is_silent
wrote CMakeLists.txt README.md acme.toml device.hpp ops.hpp plugin.cpp
grep -q '^set(name acme) ' acme/CMakeLists.txt || broken "the build does not say the name"
grep -q '^order = \["acme", "' acme/acme.toml || broken "the configuration does not say the name"
grep -q '^library = "build/plugins/libswitchyard_acme\.[a-z]*"$' acme/acme.toml ||
  broken "the configuration does not name the library"
expect 0 config --config acme/acme.toml

# Nothing is overwritten, be it a folder, a file or a link to nowhere.
cp -R acme before
touch taken
ln -s nowhere dangling
for name in acme taken dangling; do
  expect 2 new-plugin "$name"
  complains_once "new-plugin: there is a '$name' here already, and nothing is overwritten; choose"
done
diff -r acme before || broken "acme was changed"
rm -r acme before taken dangling

expect 0 new-plugin acme --language c --json
has_keys name language folder files/0
wrote CMakeLists.txt README.md acme.toml device.c device.h ops.c ops.def ops.h plugin.c
rm -r acme

# Names.
expect 2 new-plugin
complains_once 'new-plugin: name is required; see `switchyard new-plugin --help`$'
for bad in my-plugin my.plugin 'my plugin' "$folder/my_plugin" my/../my_plugin; do
  expect 2 new-plugin "$bad"
  complains_once "new-plugin: '.*' is no name of a plugin, .*letters, digits and underscores.*; try 'my_plugin'"
done
for bad in ___ ../ $(printf 'x%.0s' {1..65}); do
  expect 2 new-plugin "$bad"
  complains_once "new-plugin: '$bad' is no name of a plugin"
done
for taken in cpu CPU template template_c; do
  expect 2 new-plugin "$taken"
  complains_once "new-plugin: there is a plugin of that name already, .*/libswitchyard_.*; try 'my_$taken'"
done
expect 2 new-plugin acme --language rust
complains_once 'new-plugin: --language: rust not in \{'

# What fails on the way leaves nothing behind: no file may grow beyond a kilobyte, as README.md does.
limited=0
(ulimit -f 1 && "$program" new-plugin acme) >"$folder/stdout" 2>"$folder/stderr" || limited=$?
[ "$limited" = 2 ] || broken "a write that fails: exit code $limited, expected 2"
complains_once 'new-plugin: acme/README\.md: cannot write it: '

[ -z "$(ls -A)" ] || broken "left behind: $(ls -A)"
done_with 'new-plugin'
