#pragma once

#include <span>

#include "cli/conform/case.hpp"

namespace switchyard::cli::conform {

/// What is tried of a device beside its ops: life, memory, copies, streams, events, threads, and
/// what it makes of values that it cannot know.
std::span<const CaseRow> device_cases();

// life.cpp
void try_opening(CaseRun& run);
void try_opening_again(CaseRun& run);
void try_two_open_at_once(CaseRun& run);
void try_absent_device(CaseRun& run);
void try_recovery(CaseRun& run);
void try_recovery_with_handles(CaseRun& run);
void try_report(CaseRun& run);
void try_state_of_calls(CaseRun& run);
// loss.cpp
void try_loss(CaseRun& run);
void try_recovery_of_lost(CaseRun& run);
void try_recovery_twice(CaseRun& run);
// memory.cpp
void try_allocation(CaseRun& run);
void try_too_much_memory(CaseRun& run);
void try_statistics(CaseRun& run);
void try_released_memory(CaseRun& run);
void try_mapping(CaseRun& run);
void try_import(CaseRun& run);
void try_trim(CaseRun& run);
// host_memory.cpp
void try_host_memory(CaseRun& run);
void try_registered_memory(CaseRun& run);
// exchange.cpp
void try_exchange(CaseRun& run);
void try_exchange_order(CaseRun& run);
void try_wrong_exchange(CaseRun& run);
// copies.cpp
void try_round_trips(CaseRun& run);
void try_strided_copies(CaseRun& run);
void try_misaligned_copies(CaseRun& run);
void try_empty_copies(CaseRun& run);
void try_copies_within_device(CaseRun& run);
// peers.cpp
void try_peer_copies(CaseRun& run);
void try_copies_on_two_streams(CaseRun& run);
// streams.cpp
void try_numbers(CaseRun& run);
void try_order_of_work(CaseRun& run);
void try_handed_over_memory(CaseRun& run);
void try_priorities(CaseRun& run);
void try_completion(CaseRun& run);
void try_absent_work(CaseRun& run);
void try_late_failure(CaseRun& run);
void try_cached_memory(CaseRun& run);
// events.cpp
void try_events(CaseRun& run);
void try_fresh_event(CaseRun& run);
void try_event_times(CaseRun& run);
// notices.cpp
void try_notices(CaseRun& run);
// threads.cpp
void try_streams_of_threads(CaseRun& run);
void try_stream_of_many_threads(CaseRun& run);
void try_kernel_of_many_threads(CaseRun& run);
// unknown_values.cpp
void try_grown_structs(CaseRun& run);
void try_unknown_dtype(CaseRun& run);
void try_unknown_region(CaseRun& run);
void try_unknown_value_flags(CaseRun& run);
void try_unknown_op(CaseRun& run);
void try_null_errors(CaseRun& run);

}  // namespace switchyard::cli::conform
