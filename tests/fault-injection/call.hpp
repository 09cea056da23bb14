// One call of the host: whose device it concerns, which fault it has, and what is kept of it.
#pragma once

#include <switchyard/plugin.h>

#include <utility>

#include "injector.hpp"

namespace fault_injection {

// The gate of the device that args concern; null where they name none.
template <typename Args>
Handles::Gate gate_of(const Injector& injector, const Args& args) {
  if constexpr (requires { args.device; }) {
    return injector.handles.gate_of(args.device);
  } else if constexpr (requires {
                         args.stream;
                         args.event;
                       }) {
    return injector.handles.gate_of(args.event);
  } else if constexpr (requires { args.stream; }) {
    return injector.handles.gate_of(args.stream);
  } else if constexpr (requires { args.start; }) {
    return injector.handles.gate_of(args.start);
  } else if constexpr (requires { args.run; }) {
    return injector.handles.gate_of(args.run->stream);
  } else {
    return nullptr;
  }
}

// Keeps what a call that has succeeded made or enqueued.
void note(Injector& injector, Slot slot, const sy_open_device_args& args);
void note(Injector& injector, Slot slot, const sy_create_stream_args& args);
void note(Injector& injector, Slot slot, const sy_create_event_args& args);
void note(Injector& injector, Slot slot, const sy_run_args& args);
void note(Injector& injector, Slot slot, const sy_copy_args& args);
void note(Injector& injector, Slot slot, const sy_device_args& args);
template <typename Args>
void note(Injector&, Slot, const Args&) {}

// Forgets what a call ends, before the plugin below may give the same handle out again.
void forget(Injector& injector, Slot slot, const sy_device_args& args);
void forget(Injector& injector, Slot slot, const sy_stream_args& args);
void forget(Injector& injector, Slot slot, const sy_event_args& args);
template <typename Args>
void forget(Injector&, Slot, const Args&) {}

// Waits for all work of a device, and for the calls that are under way.
void lose_device(Injector& injector, const Handles::Gate& gate);

// A wait that is to fail: for work that is not over the failure is the call's own; else it is the
// work's, and sticks to the stream.
void stick_if_over(Injector& injector, const sy_wait_args& args, sy_status status);

// Another number than the stream's next.
uint64_t wrong_sequence(uint64_t sequence, uint64_t chosen);
// Whether anybody reads the numbers of a device's work.
template <typename Args>
bool gives_numbers(const Args& args) {
  return args.sequence != 0;
}

// Passes a call on. A host is told apart by its address: the plugin below knows its own.
template <auto slot, typename Args>
sy_status pass_on(Injector& injector, Args* args, sy_error* error) {
  if constexpr (requires { args->host; }) {
    const sy_host* const given = args->host;
    args->host = &injector.host_below();
    const sy_status status = (injector.below.*slot)(args, error);
    args->host = given;
    return status;
  } else {
    return (injector.below.*slot)(args, error);
  }
}

// A call that ends a handle reaches the plugin below whatever comes of it.
template <auto slot, typename Args>
sy_status end_handle(Injector& injector, Slot name, const Decision& decision, Args* args,
                     sy_error* error) {
  forget(injector, name, *args);
  const sy_status status = pass_on<slot>(injector, args, error);
  if (status != SY_OK || decision.status == SY_OK) return status;
  injector.count(decision.fault);
  return fail(error, name, decision.number, decision.status);
}

// What a call comes to that was let in. Sets `loses` where the device is to be lost.
template <auto slot, typename Args>
sy_status make_call(Injector& injector, Slot name, const Decision& decision, bool is_gated,
                    Args* args, sy_error* error, bool& loses) {
  if constexpr (requires(sy_wait_args * wait) { wait = args; }) {
    if (const auto stuck = injector.handles.stuck(args->stream, args->sequence)) {
      pass_on<slot>(injector, args, error);
      return fail(error, name, decision.number, *stuck);
    }
  }
  // Where no device is known, none can be said to be lost; one that does not open holds nothing.
  const bool is_lost = decision.status == SY_DEVICE_LOST && name != Slot::open_device;
  if (decision.status != SY_OK && (!is_lost || (is_gated && DeviceGate::may_lose()))) {
    injector.count(decision.fault);
    loses = is_lost;
    if constexpr (requires(sy_wait_args * wait) { wait = args; }) {
      if (!loses) stick_if_over(injector, *args, decision.status);
    }
    return fail(error, name, decision.number, decision.status);
  }
  const sy_status status = pass_on<slot>(injector, args, error);
  if (status != SY_OK) return status;
  note(injector, name, *args);
  if constexpr (
      requires { args->allocator; } || requires { args->source; }) {
    if (decision.fault == Fault::wrong_sequence && gives_numbers(*args)) {
      injector.count(decision.fault);
      args->sequence = wrong_sequence(args->sequence, decision.chosen);
    }
  }
  return status;
}

// A call that was let in leaves in any case.
class Passage {
 public:
  explicit Passage(Handles::Gate gate) : gate_(std::move(gate)) {}
  ~Passage() {
    if (gate_) gate_->leave();
  }
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

  void lose(Injector& injector) { lose_device(injector, std::exchange(gate_, nullptr)); }

 private:
  Handles::Gate gate_;
};

// A call of the host with its fault.
template <auto slot, Slot name, typename Args>
sy_status call(Injector& injector, Args* args, sy_error* error) {
  const Decision decision = injector.begin(name);
  if constexpr (row_of(name).kind == SlotKind::ends) {
    return end_handle<slot>(injector, name, decision, args, error);
  }
  bool loses = false;
  const Handles::Gate gate = name == Slot::recover ? nullptr : gate_of(injector, *args);
  if (!gate) return make_call<slot>(injector, name, decision, false, args, error, loses);
  if (!gate->enter()) return fail(error, name, decision.number, SY_DEVICE_LOST);
  Passage passage(gate);
  const sy_status status = make_call<slot>(injector, name, decision, true, args, error, loses);
  if (loses) passage.lose(injector);
  return status;
}

}  // namespace fault_injection
