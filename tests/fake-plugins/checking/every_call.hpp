// What holds for the args of every call (conventions 1, 2 and 9 of plugin.h).
#pragma once

#include <switchyard/plugin.h>

#include "violations.hpp"

namespace checking {

template <typename Args>
void check_args(const Args& args, const sy_error* error) {
  if (args.struct_size != sizeof(Args)) violation("args of ", args.struct_size, " bytes");
  if (error != nullptr && error->struct_size != sizeof(sy_error)) {
    violation("an error of ", error->struct_size, " bytes");
  }
  if constexpr (requires { args.reserved; }) {
    if (args.reserved != 0) violation("a reserved field is ", args.reserved);
  }
}

template <auto slot>
struct CheckedSlot;

template <typename Args, sy_status (*sy_plugin::*slot)(Args*, sy_error*)>
struct CheckedSlot<slot> {
  inline static sy_status (*unchecked)(Args*, sy_error*) = nullptr;

  static sy_status call(Args* args, sy_error* error) {
    check_args(*args, error);
    return unchecked(args, error);
  }
  // Tables share their functions; one of them may lack some.
  static void set(sy_plugin& table) {
    if (table.*slot == nullptr) return;
    unchecked = table.*slot;
    table.*slot = call;
  }
};

template <auto... slots>
void check_slots(sy_plugin& table) {
  (CheckedSlot<slots>::set(table), ...);
}

inline void check_every_call(sy_plugin& table) {
  using Plugin = sy_plugin;
  check_slots<&Plugin::probe, &Plugin::open_device, &Plugin::close_device, &Plugin::report,
              &Plugin::allocate, &Plugin::release, &Plugin::import_memory, &Plugin::map,
              &Plugin::unmap, &Plugin::trim, &Plugin::memory_statistics, &Plugin::copy,
              &Plugin::create_stream, &Plugin::destroy_stream, &Plugin::flush, &Plugin::completed,
              &Plugin::wait, &Plugin::create_event, &Plugin::destroy_event, &Plugin::record_event,
              &Plugin::wait_for_event, &Plugin::wait_event, &Plugin::supports, &Plugin::prepare,
              &Plugin::destroy_kernel, &Plugin::release_constant, &Plugin::run>(table);
}

}  // namespace checking
