// What a variant promises and does not do, beside what behaviour.hpp has: one lie each, for whoever
// is to find it out (tests/conform).
#pragma once

#include <cstdint>

namespace fake {

enum class Lie : uint8_t {
  none,
  // Runs.
  ignores_strides,       // reads and writes as if tensors were contiguous
  ignores_offsets,       // reads inputs from their storage's first byte on
  ignores_zero_strides,  // reads a stride of 0 as 1
  false_alias,           // an output may lie on the first input, and is cleared before that is read
  writes_nothing,        // `run` does no work
  writes_beyond,         // and one element behind the output
  writes_input,          // changes what it reads
  stops_early,           // after 100 elements
  keeps_first_shape,     // a kernel computes what its first run had, whatever the second one has
  keeps_first_values,    // a kernel gives again what its first run gave
  mixes_bindings,        // takes whatever binding for the first one
  keeps_immediates,      // a kernel keeps the immediates of its first run
  static_scratch,        // all runs share the memory of their results
  loses_nan,             // Relu of NaN is 0
  loses_second_nan,      // a NaN that is added to a number counts as 0
  inaccurate,            // every result is off by a thousandth
  random_bits,           // results differ in their last bits from run to run
  fails_when_empty,      // refuses tensors without elements, when it runs
  crashes,
  hangs,
  exits,
  shares_constants,  // packs a constant matrix once, whichever it is
  takes_any_flag,    // asks nobody whether it knows a flag
  hides_no_storage,  // says that a run without storage for its output was one
  // Programs of several nodes.
  answers_first_node,     // and says nothing of the others
  skips_inner_sums,       // Add gives its first input, but where its result is an output
  shares_inner_values,    // all values between nodes have one memory
  forgets_inner_outputs,  // an output that other nodes use as well is not written
  swaps_outputs,          // of a program that has two
  // Copies and memory.
  copies_flat,         // a copy takes no notice of strides
  copies_any_dtype,    // and copies unknown types as bytes
  copies_aligned,      // refuses host memory that its elements are not aligned in
  copies_any_region,   // and takes a kind that it does not know for host memory
  same_storage,        // all storages are one
  allocates_anything,  // says yes to any size, and gives a page
  never_releases,
  counts_nothing_back,  // used_bytes only rise
  releases_at_once,     // whatever work still uses
  binds_storages,       // one serves the stream that it was allocated for, and no other
  maps_the_start,       // whatever the offset
  misaligned_host,      // host memory of its own begins a byte further on
  static_copies,        // all that go from storage to storage share memory
  reads_own_for_peers,  // takes a peer's storage for its own of the same number
  exports_copies,       // shows memory that holds what the storage held then
  exports_nothing,      // says yes to a storage that there is not
  imports_any_kind,     // of memory
  ignores_ready_event,  // memory that it takes may not be ready
  spoils_imports,       // overwrites memory that it took, when it releases it
  // Streams and events.
  never_waits,
  completed_at_once,   // `completed` says that all is done
  waits_for_anything,  // also for numbers that no work has
  events_do_nothing,
  times_backwards,     // between two events
  forgets_notices,     // nobody hears of completed work
  refuses_priorities,  // takes streams of priority 0 alone
  // Calls.
  wants_exact_sizes,  // refuses structs longer than its own
  wants_no_extensions,
  writes_error_always,
  writes_wrong_error,  // another status than it returns
  unterminated_error,
  writes_args_of_failure,
  needs_error,  // writes to a null one
  // The process.
  changes_folder,
  changes_locale,
  takes_signals,
  leaks_files,
  opens_once,
  opens_any_device,
  recovers_broken,
  forgets_storages,  // when it recovers: their release fails
  reuses_numbers,    // of storages from before it recovered
  recovers_once,     // and breaks the second time
  tells_no_reason,   // of its loss
  // Want of memory.
  throws_for_want,  // past the boundary
  crashes_for_want,
  hides_want,  // says that a run was made for which there was no memory
  broken_by_want,
  // What it tells.
  probe_changes,
  name_not_utf8,
  report_not_utf8,
  ignores_versions
};

}  // namespace fake
