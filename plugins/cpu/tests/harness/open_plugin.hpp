// The plugin as a host sees it: entered once, with its device open and a team of 4 threads, unless
// SWITCHYARD_TEST_THREADS says otherwise.
#pragma once

#include <switchyard/plugin.h>

namespace cpu::testing {

const sy_host& host();
const sy_plugin& plugin();
const sy_device_info& device_info();
sy_device device();
sy_stream stream();

sy_error fresh_error();

// Throws sy::Failure unless the status is SY_OK.
void must(sy_status status, const sy_error& error);

// Fills in struct_size, calls the slot, throws what it returns.
template <typename Args>
void call(sy_status (*slot)(Args*, sy_error*), Args& args) {
  args.struct_size = sizeof(args);
  sy_error error = fresh_error();
  must(slot(&args, &error), error);
}

}  // namespace cpu::testing
