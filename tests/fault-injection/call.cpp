#include "call.hpp"

namespace fault_injection {

void note(Injector& injector, Slot, const sy_open_device_args& args) {
  injector.handles.add(args.device);
}

void note(Injector& injector, Slot, const sy_create_stream_args& args) {
  injector.handles.add(args.stream, args.device);
}

void note(Injector& injector, Slot, const sy_create_event_args& args) {
  injector.handles.add(args.event, args.device);
}

void note(Injector& injector, Slot, const sy_run_args& args) {
  injector.handles.note_enqueued(args.stream, args.sequence);
}

void note(Injector& injector, Slot, const sy_copy_args& args) {
  injector.handles.note_enqueued(args.stream, args.sequence);
}

void note(Injector& injector, Slot slot, const sy_device_args& args) {
  if (slot != Slot::recover) return;
  const Handles::Gate gate = injector.handles.gate_of(args.device);
  if (gate) gate->recover();
}

void forget(Injector& injector, Slot, const sy_device_args& args) {
  injector.handles.remove(args.device);
}

void forget(Injector& injector, Slot, const sy_stream_args& args) {
  injector.handles.remove(args.stream);
}

void forget(Injector& injector, Slot, const sy_event_args& args) {
  injector.handles.remove(args.event);
}

void lose_device(Injector& injector, const Handles::Gate& gate) {
  gate->lose([&] {
    for (const Handles::Work& work : injector.handles.enqueued_on(gate)) {
      sy_wait_args args{sizeof(args), 0, nullptr, work.stream, work.last};
      injector.below.wait(&args, nullptr);  // what came of it nobody asks any more
    }
  });
}

void stick_if_over(Injector& injector, const sy_wait_args& args, sy_status status) {
  sy_completed_args completed{sizeof(completed), 0, nullptr, args.stream, 0};
  if (injector.below.completed(&completed, nullptr) != SY_OK) return;
  if (completed.sequence < args.sequence) return;
  injector.handles.stick(args.stream, {args.sequence, status});
}

// One that was forgotten, one that comes twice, one that jumps.
uint64_t wrong_sequence(uint64_t sequence, uint64_t chosen) {
  switch (chosen % 3) {
    case 0: return 0;
    case 1: return sequence - 1;
    default: return sequence + 1;
  }
}

}  // namespace fault_injection
