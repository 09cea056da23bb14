// What a fake plugin does, and what it does wrong. CMakeLists.txt gives each variant's values; the
// defaults are a plugin that does everything right.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

#include "lie.hpp"

namespace fake {

// What happens where something should just work.
enum class Act { works, prints, fails, throws, throws_number, crashes, aborts, exits, hangs };

// How NonZero, whose result's size only the run shows, gives its output.
enum class NonZeroOutput {
  bounded,
  bounded_untold,  // its extents are not written
  deferred,
  deferred_twice,
  deferred_negative
};

// What `run` and `copy` give as the number of their work. The stream itself counts right.
enum class Numbering { right, forgotten, jumping };

// The step at which an op that the claims cover is refused.
enum class Refusal {
  never,
  at_prepare,
  at_prepare_of_many,  // nodes; not of one
  at_prepare_having_depended,
  at_run_having_depended
};

// What is wrong with what `probe` says.
enum class Nonsense {
  none,
  alignment,
  memory_kind,
  unset_memory_kind,
  device_flag,
  unknown_peer,
  unnamed_claim,
  text_nowhere,  // a claim's op lies at an address that is not mapped
  claimed_dtypes,
  claim_flag,
  missing_devices
};

// What `supports` leaves in a verdict.
enum class Answer { right, none, unknown };

// The op of its own domain that a variant brings.
enum class OwnOps { none, unclaimed, claimed, otherwise, of_onnx };

struct Behaviour {
  // Loading.
  Act loading = Act::works;  // in a static initialiser
  Act entry = Act::works;
  uint32_t speaks = SY_ABI_VERSION;    // asks the host for it, and is refused
  uint32_t pretends = SY_ABI_VERSION;  // puts it into the table without asking
  bool gives_table = true;
  uint32_t table_bytes = sizeof(sy_plugin);
  const char* missing = "";  // a slot that is left null
  bool has_unknown_extension = false;
  OwnOps own_ops = OwnOps::none;

  // Probing.
  Act probe = Act::works;
  Nonsense nonsense = Nonsense::none;
  bool available = true;
  uint32_t devices = 1;

  // Devices.
  uint32_t device_flags = 0;  // besides SY_DEVICE_SYNCHRONOUS
  bool asynchronous = false;
  bool has_events = false;
  sy_memory_kind memory_kind = SY_MEMORY_ADDRESS;
  uint32_t offset_alignment = 1;
  bool misaligns = false;            // storages begin a byte beyond what they are aligned to
  uint32_t failing_allocations = 0;  // how many fail before one succeeds; UINT32_MAX: all
  uint32_t max_program_nodes = 1;
  bool has_host_memory = false;   // for copies: of its own, and registered
  bool exchanges_memory = false;  // exports and imports it, as one processor of several plugins
  bool has_no_peers = false;      // though its copies reach other devices
  bool tells_of_loss = false;     // once, when its first run has begun

  Act open = Act::works;
  Act close = Act::works;
  bool logs = false;           // that it opens a device, on this thread and on one of its own
  bool logs_for_ever = false;  // while it opens a device

  // Entries.
  const char* failing = "";   // open_device, release, copy, create_stream, wait or prepare: fails
  sy_status failure = SY_OK;  // with this, having done nothing
  uint32_t failures = 1;      // so often, until the device is closed
  const char* blocking = "";  // open_device, copy, prepare, run, or "work" that a run enqueued: see
                              // block_if_asked

  // Streams.
  uint64_t batch = 1;  // work begins once so much has gathered, or on a flush or a wait
  Numbering numbering = Numbering::right;
  bool forgets_failures = false;  // a stream tells of failed work at one wait only

  // Programs.
  Refusal refusal = Refusal::never;
  Answer answer = Answer::right;
  NonZeroOutput nonzero = NonZeroOutput::bounded;
  uint64_t workspace_bytes = 0;         // of each kernel, which does not use it
  bool asks_workspace_per_run = false;  // as large as its outputs, which it checks
  bool wants_bindings = false;          // and replays the runs that it has captured
  bool loses_a_row = false;   // Relu calls its output bounded, and tells a first extent less by 1
  bool unknown_mode = false;  // calls Relu's output what the ABI does not have
  bool packs_constants = false;
  bool proposes_channels_last = false;
  bool proposes_overlap = false;  // strides that put all elements in one place
  bool refuses_strides = false;   // though the claims say otherwise
  bool refuses_determinism = false;
  bool takes_immediates = false;

  // Runs.
  sy_status run_fault = SY_OK;  // what a faulty run returns
  uint32_t faulty_runs = 0;     // how many runs of a device fail before they work; UINT32_MAX: all
  bool fault_is_late = false;   // after the enqueue, so that it sticks to the stream
  bool fault_follows_work = false;  // `run` fails when its outputs are written
  bool runs_in_place = false;       // an output may lie on the first input
  Act run = Act::works;             // throws: past the boundary
  bool run_acts_on_nan = false;     // only where the first element of its first input is NaN
  bool leaves_rounding = false;     // `run` leaves the rounding mode changed
  bool recovers = true;             // `recover` ends the fault
  bool recovers_empty = false;      // and what the device held is gone
  Lie lie = Lie::none;
  const char* gives_null = "";  // a slot that succeeds without what it makes
};

// This variant's, in variant.cpp.
extern const Behaviour behaviour;

inline bool lies(Lie lie) { return behaviour.lie == lie; }

inline bool has_deferred_nonzero() { return behaviour.nonzero >= NonZeroOutput::deferred; }

}  // namespace fake
