#!/usr/bin/env bash
# Standard streams that cannot be written, or were closed: the exit code stays what it is, and no file
# takes what was meant for a stream.
source "$(dirname "$0")/expect.sh"

ends_with() {  # CODE: that of the run before
  [ "$got" = "$1" ] || broken "exit code $got, expected $1"
  checks=$((checks + 1))
}

# What cannot be told is lost.
if [ -e /dev/full ]; then
  got=0 && "$program" run none.onnx 2>/dev/full || got=$?
  ends_with 2
  got=0 && "$program" --version >/dev/full 2>/dev/full || got=$?
  ends_with 1
fi
got=0 && "$program" run none.onnx 2>&- || got=$?
ends_with 2
got=0 && "$program" --version <&- >&- 2>&- || got=$?
ends_with 1

# A file that is opened later is not taken for a stream that was closed.
got=0
"$program" run "$model" --random 1 --set "host.trace=$folder/trace.json" --set host.log_level=debug \
  <&- >"$folder/stdout" 2>&- || got=$?
ends_with 0
! grep -q 'switchyard \[' "$folder/trace.json" || broken "the log lies in the trace"

# A limit on the sizes of files is an error, not the end.
got=0
(ulimit -f 1 && exec "$program" run "$model" --random 1 --repeat 200 \
  --set "host.trace=$folder/long.json" >/dev/null 2>"$folder/stderr") || got=$?
ends_with 0

done_with streams
