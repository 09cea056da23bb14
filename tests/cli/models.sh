#!/usr/bin/env bash
# run, explain and bench of a model, on one device and on two.
source "$(dirname "$0")/expect.sh"
alone=$build/config/cpu-only.toml shared=$build/config/third-party.toml

expect 0 run "$model" --random 1 --config "$alone"
says 'logits +float32 +1x10 '
says '^  cpu:0 [0-9]+; host work'
says '^  none$'
is_silent

expect 0 run "$model" --random 1 --dim N=3 --repeat 3 --profile --output-dir "$folder/alone" \
  --config "$alone" --json
has_keys outputs/0/{name,dtype,shape,file} time_ms/{load,median,min} placement/cpu:0 host_work \
  fallbacks profile/0/{op,device,count,time_ms}
[ -s "$folder/alone/logits.npy" ] || broken "logits.npy was not written"

# The same inputs on two devices: routed by the order, reported, and the same result.
expect 0 run "$model" --random 1 --dim N=3 --output-dir "$folder/shared" --config "$shared" --json
has_keys placement/{cpu:0,template:0} \
  fallbacks/0/{op,from,to,code,reason,count,bytes_copied,time_ms}
complains 'Conv falls back from template:0 to cpu:0'

# A file that was written is an input that can be read; one of a wrong shape is refused by name.
expect 2 run "$model" --input "x=$folder/alone/logits.npy" --config "$alone"
complains_once "input 'x': shape \[3, 10\] does not fit"

# More than the machine can hold is refused before it is made.
expect 1 run "$model" --random 1 --dim N=99999999999 --config "$alone"
complains_once "--random: input 'x', float32 \[99999999999, 1, 28, 28\], would take "

# A fallback that is denied is a broken requirement, and told before a run.
denied=(--config "$shared" --set routing.fallback=deny)
expect 1 run "$model" --random 1 "${denied[@]}"
complains_once '.*Conv.*denied'
expect 1 explain "$model" "${denied[@]}"
says '^Conv .* -> denied$'
says '^    cpu:0: denied: template:0 refused \(OP\): .*; falling back to cpu:0 is denied; allow it in'
says '^Conv +denied +'
complains_once "node '.*' \(Conv\): template:0 refused .* is denied"
expect 1 explain "$model" "${denied[@]}" --json
has_keys nodes/0/{name,op,device}
says '"verdict": "denied"'
expect 0 explain "$model" --config "$shared" --set routing.fallback=deny \
  --set routing.fallback_by_plugin.template=allow
says '^Conv .* -> cpu:0'
expect 1 run "$model" --random 1 --config "$shared" --order template
expect 1 explain "$model" --config "$shared" --order template
complains_once "node '.*' \(Conv\): no device takes it"

expect 0 explain "$model" --config "$shared"
says '^Relu +.* -> template:0$'
says '^    template:0: refused \(OP\): '
says '^op +device +nodes'
expect 0 explain "$model" --dim N=1 --config "$shared" --json
has_keys nodes/0/{name,op,device} nodes/0/trail/0/{plugin,verdict,code,reason}

expect 0 bench "$model" --config "$alone" --config "$shared" --repeat 2 --set host.log_level=error
says 'cpu-only.toml +.* 1.00 '
says 'third-party.toml '
expect 0 bench "$model" --config "$alone" --repeat 2 --json
has_keys configurations/0/{config,ratio} configurations/0/time_ms/{median,min}

expect 0 bench --config "$shared" --json
has_keys devices/0/{device,status,reason} devices/1/time_ms/{median,min}
says '"reason": ".*template:0 refused'

# Ctrl-C ends a run with a line. Without job control a shell starts what runs beside it with
# interrupts ignored, which the program respects.
set -m
"$program" run "$model" --random 1 --repeat 1000000 --config "$alone" \
  --set "host.trace=\"$folder/trace\"" >"$folder/stdout" 2>"$folder/stderr" &
set +m
until grep -q '"kernel"' "$folder/trace" 2>/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
kill -INT $!
got=0
wait $! || got=$?
[ "$got" = 130 ] || broken "an interrupted run's exit code is $got, not 130"
complains '^switchyard: stopping after the op'
complains '^switchyard: interrupted$'

done_with 'models'
