#!/usr/bin/env bash
# What devices, doctor, config and bench say of plugins, good and bad.
source "$(dirname "$0")/expect.sh"
fakes=$build/fake-plugins

expect 0 devices --config "$build/config/default.toml"
says '^cpu  .*ABI [0-9]+\.[0-9]+, required  /'
says 'cpu:0 +available'
expect 0 devices --config "$build/config/default.toml" --json
has_keys plugins/0/{name,library,version,abi,status,built,available,reason,devices} \
  plugins/1/devices/0/{id,built,available,reason,memory_bytes}
is_silent

# What tells one processor from another.
cat >"$folder/identity.toml" <<TOML
[routing]
order = ["fake", "cpu"]
[plugins.fake]
library = "$fakes/libswitchyard_fake_exchange.so"
[plugins.cpu]
TOML
expect 0 devices --config "$folder/identity.toml" --json
says '"architecture": "fake_1"'
says '"pci_address": "0000:07:00.0"'
says '"uuid": "5a5a5a5a-5a5a-5a5a-5a5a-5a5a5a5a5a5a"'
is_silent
expect 0 doctor --config "$folder/identity.toml"
says 'available: a fake device, .*, fake_1, 0000:07:00.0'

# What each device claims, and where gradients flow.
expect 0 ops --config "$build/config/cpu-only.toml"
says '^Add +yes +float16/32/64 .*int8/16/32/64'
says '^NonMaxSuppression +- +float'
says '^Shape +- +host'
says '^switchyard\.PhiloxNormal +- '
says '^cpu:0 claims [0-9]{3}\.'
expect 0 ops --config "$build/config/third-party.toml" --json
has_keys ops/0/{op,domain,version,gradient,host,devices} ops/0/devices/1/{device,dtypes}
is_silent

# Ops that a plugin brings are known as all others.
cat >"$folder/own_ops.toml" <<TOML
[routing]
order = ["fake", "cpu"]
[plugins.fake]
library = "$fakes/libswitchyard_fake_own_op_claimed.so"
[plugins.cpu]
TOML
expect 0 doctor --device fake:0 --config "$folder/own_ops.toml"
says 'ok    ops: brings 1 op of its own'
says 'not tried, as no trial is known: SumOfTheProgram'
expect 0 ops --config "$folder/own_ops.toml"
says '^[a-z.]+\.Sum +.*float'

# with_plugin NAME REQUIRED: a configuration with a fake plugin beside the cpu.
with_plugin() {
  cat >"$folder/$1.toml" <<TOML
[routing]
order = ["cpu"]
[plugins.fake]
library = "$fakes/libswitchyard_fake_$1.so"
required = $2
[plugins.cpu]
TOML
}

# A plugin that is broken is told of by name, and counts only where it is required.
for required in false true; do
  code=$([ $required = true ] && echo 1 || echo 0)
  word=$([ $required = true ] && echo FAIL || echo warn)
  with_plugin none $required
  expect "$code" devices --config "$folder/none.toml"
  says '^fake  failed'
  says 'cpu:0 +available'
  expect "$code" doctor --config "$folder/none.toml"
  says "^  $word +library: .*libswitchyard_fake_none.so"
  with_plugin missing_library $required
  expect "$code" doctor --config "$folder/missing_library.toml"
  says "^  $word +loading: .*libswitchyard_not_installed.so.9: cannot open shared object file"
  with_plugin too_new $required
  expect "$code" doctor --config "$folder/too_new.toml"
  says "^  $word +abi: "
  with_plugin probe_crashes $required
  expect "$code" devices --config "$folder/probe_crashes.toml" --json
  has_keys plugins/0/{status,reason}
  says '"status": "failed"'
  says 'SIGSEGV|signal'
  for probe in fails throws crashes; do
    with_plugin probe_$probe $required
    expect "$code" doctor --config "$folder/probe_$probe.toml"
    says "^  $word +(probe|loading): "
  done
  with_plugin unavailable $required
  expect "$code" devices --config "$folder/unavailable.toml"
done
complains_once '.*fake'

# What a library prints to standard output stays out of the program's.
with_plugin prints_at_load false
expect 0 devices --config "$folder/prints_at_load.toml" --json
has_keys plugins/0/status

# What a broken plugin that is required does to a run.
with_plugin entry_fails true
expect 1 run "$model" --random 1 --config "$folder/entry_fails.toml"
complains_once ".*plugin 'fake' was not loaded"

# One that ends the process which looks at it is a finding of doctor's.
cat >"$folder/crashes.toml" <<TOML
[routing]
order = ["fake", "cpu"]
[plugins.fake]
library = "$fakes/libswitchyard_fake_lie_crashes.so"
[plugins.cpu]
TOML
expect 1 doctor --device fake --config "$folder/crashes.toml"
says 'ok    order: fake:0 opens'
says 'FAIL  survival: a process that looked at this crashed while trying device fake \(signal 6'

# doctor on other troubles.
expect 0 doctor --config "$build/config/default.toml" --json
has_keys healthy checks/0/{subject,check,status,finding,remedy}
expect 1 doctor --set routing.pins.Rellu=cpu
says "FAIL +routing.pins.Rellu: there is no op 'Rellu'"
cp "$build/config/cpu-only.toml" "$folder/open.toml"
chmod 666 "$folder/open.toml"
expect 2 doctor --config "$folder/open.toml"
says 'FAIL +file: .*open.toml'
says 'chmod'
cp "$fakes/libswitchyard_fake_good.so" "$folder/libswitchyard_open.so"
chmod 777 "$folder/libswitchyard_open.so"
printf '[plugins.open]\n[plugins.cpu]\nrequired = true\n' >"$folder/trust.toml"
expect 0 doctor --config "$folder/trust.toml" --order cpu
says 'warn +trust: .*libswitchyard_open.so'

# doctor --device opens one device, has it compute, and shows what it says of itself.
expect 0 doctor --config "$build/config/default.toml" --device cpu
says '^device cpu:0$'
says '^  ok +opening: .* opens$'
says '^  ok +Add: Add of two 64x64 is right: the largest error is'
says '^  ok +MatMul: MatMul of two 64x64 is right: the largest error is'
says '^  warn +claimed ops: not compared with another device'
says '^device cpu says$'
says '^  threads: [0-9]+$'
expect 0 doctor --config "$build/config/default.toml"
! grep -q '^device' "$folder/stdout" || broken "a device is tried out that nobody named"
expect 2 doctor --config "$build/config/default.toml" --device 'what is it'
complains_once "'what is it' names no device; write PLUGIN or PLUGIN:INDEX"
expect 2 doctor --config "$build/config/default.toml" --device nobody
complains_once '.*no \[plugins.nobody\]; see `switchyard devices`'
expect 2 doctor --config "$build/config/default.toml" --device cpu:9
complains_once ".*--device cpu:9: plugin 'cpu' has 1 devices"
# Where the configuration denies fallbacks, what is tried says what that means.
expect 0 doctor --config "$build/config/deny.toml" --device template
says '^  warn +MatMul: MatMul of two 64x64 is refused: .*; falling back from it is denied, so'
expect 1 doctor --config "$build/config/cpu-only.toml" --set routing.pins.Relu=cpu:9 \
  --set routing.fallback=deny
says '^  FAIL +routing.pins.Relu: cpu:9 is not available, and falling back is denied: '
# A device that computes wrongly is found out, whatever it says.
if [ -e "$build/plugins/libswitchyard_null.so" ]; then
  printf '[routing]\norder = ["cpu"]\n[plugins.null]\n[plugins.cpu]\n' >"$folder/null.toml"
  expect 1 doctor --config "$folder/null.toml" --device null
  says '^  FAIL +MatMul: MatMul of two 64x64 is WRONG'
  says '^  FAIL +claimed ops: beside cpu:0: Exp: element 0 is '
  says 'Do not use the device'
fi
# What the mps plugin says: what it lacks, or the device's memory, caches and times.
if [ "$(uname)" = Linux ] && [ -e "$build/plugins/libswitchyard_mps.so" ]; then
  expect 1 doctor --config "$build/config/default.toml" --device mps
  says '^  FAIL +opening: no Metal device: this is Linux; '
  says '^plugin mps says$'
  says '^  built: without Metal'
  says '^  operating system: not met: no Metal device: this is Linux; '
  expect 0 doctor --config "$build/config/software-metal.toml" --device mps \
    --set plugins.mps.options.profile=true
  says '^  device: Software Metal device, family software, unified memory'
  says '^  memory: [0-9]+ bytes in use'
  says '^  ok +claimed ops: 1[0-9]{2} give what cpu:0 gives; not tried, as random [a-z ]+: Bernoulli( Random[A-Za-z]+)+$'
  says '^  graphs: [0-9]+ compiled'
  says '^  time: [0-9]+ command buffers, [0-9.]+ ms of the device$'
  says '^    MatMul: [0-9]+ times, [0-9.]+ ms$'
  says '^    Add: [0-9]+ times, [0-9.]+ ms$'
  expect 0 run "$model" --random 1 --config "$build/config/software-metal.toml" --report \
    --set plugins.mps.options.profile=true
  says '^device mps:0 says$'
  says '^  time: [0-9]+ command buffers, [0-9.]+ ms of the device$'
  says '^    .*Conv.*: [0-9]+ times, [0-9.]+ ms$'
  expect 0 run "$model" --random 1 --config "$build/config/software-metal.toml" --report --json
  has_keys reports/0/{subject,text}
  expect 0 doctor --config "$build/config/software-metal.toml" --device mps:0 --json
  has_keys healthy reports/0/{subject,text}
  says '"subject": "device mps:0"'
fi

# config prints what holds, with where it came from, and what it prints is a configuration.
expect 0 config --config "$build/config/default.toml" --order cpu --set host.log_level=error
says '^routing.order = \["cpu"\] +# flag --order$'
says '^host.log_level = "error" +# flag --set$'
cp "$folder/stdout" "$folder/printed.toml"
expect 0 config --config "$folder/printed.toml" --json
has_keys file settings/0/{key,value,origin}

# Also from another folder.
mkdir "$folder/beside" "$folder/elsewhere"
cp "$fakes/libswitchyard_fake_good.so" "$folder/beside/libswitchyard_good.so"
for library in ./libswitchyard_good.so switchyard_good; do
  printf '[plugins.good]\nlibrary = "%s"\n' "$library" >"$folder/beside/site.toml"
  expect 0 config --config "$folder/beside/site.toml"
  says "^plugins.good.library = \"$folder/beside/libswitchyard_good.so\""
  cp "$folder/stdout" "$folder/elsewhere/site.toml"
  expect 0 devices --config "$folder/elsewhere/site.toml"
  says '^good '
done
expect 0 config --config "$build/config/cpu-only.toml"
says '^plugins.cpu.library = "switchyard_cpu"'

# Colours are for terminals.
expect 0 devices
! grep -q $'\x1b' "$folder/stdout" || broken "colours in a file"

done_with 'plugins'
