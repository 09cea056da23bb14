#!/bin/sh
# Fetches an npm package once, checks its sum, unpacks it. Nothing of it is executed.
#
#   fetch.sh PACKAGE@VERSION CACHE     prints the folder with the package's files
#
# Ends with 77 if npm is not there or reaches no registry, with 1 if the sum is wrong.
set -eu

package=$1
cache=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$cache/$(echo "$package" | tr '/@' '__')

if [ -d "$folder/package" ]; then
  echo "$folder/package"
  exit 0
fi

expected=$(awk -v package="$package" '$2 == package { print $1 }' "$here/checksums.txt")
if [ -z "$expected" ]; then
  echo "tests/models/checksums.txt has no sum of $package" >&2
  exit 1
fi

if ! command -v npm >/dev/null; then
  echo "npm is not installed" >&2
  exit 77
fi
rm -rf "$folder"
mkdir -p "$folder"
if ! (cd "$folder" && npm pack "$package" --ignore-scripts --silent >/dev/null); then
  echo "npm does not reach $package" >&2
  exit 77
fi

tarball=$(ls "$folder"/*.tgz)
sum=$(cmake -E sha256sum "$tarball" | cut -d' ' -f1)
if [ "$sum" != "$expected" ]; then
  rm -rf "$folder"
  echo "$package has the sum $sum, not $expected" >&2
  exit 1
fi
(cd "$folder" && cmake -E tar xzf "$tarball")
rm "$tarball"
echo "$folder/package"
