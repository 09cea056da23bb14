#include "cli/conform/devices/device_cases.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr CaseRow kCases[] = {
    {"devices/opens", "An available device opens and closes.", try_opening},
    {"devices/opens-again", "It opens again after it was closed, and leaves no file open.",
     try_opening_again},
    {"devices/two-at-once", "A device may be open for several hosts.", try_two_open_at_once},
    {"devices/absent", "An index that probe did not list is refused.", try_absent_device},
    {"devices/recovers", "`recover` of a device that works leaves it working.", try_recovery},
    {"devices/recovers-with-handles",
     "What was made before `recover` is released and destroyed after it.",
     try_recovery_with_handles},
    {"devices/report", "`report` writes UTF-8, and stops when it is told to.", try_report},
    {"devices/state", "Opening, copying and closing leave the process as it was.", try_state_of_calls},
    {"memory/allocates", "Storages are aligned and apart from each other.", try_allocation},
    {"memory/out-of-memory", "More than there is gets an error, and the device works on.",
     try_too_much_memory},
    {"memory/statistics", "used_bytes are those of the storages that live.", try_statistics},
    {"memory/released", "What is released is used again, or given back.", try_released_memory},
    {"memory/maps", "MAPPABLE: `map` shows the bytes that are there.", try_mapping},
    {"memory/imports", "IMPORTS_HOST_MEMORY: host memory is a storage without a copy.", try_import},
    {"memory/trims", "`trim` leaves alone what is in use.", try_trim},
    {"copies/round-trips", "Bytes of every type and many lengths come back as they were.",
     try_round_trips},
    {"copies/strided", "Either side has any strides, the source's may be 0.", try_strided_copies},
    {"copies/misaligned", "Host memory of a copy begins at any byte.", try_misaligned_copies},
    {"copies/empty", "An extent of 0 copies nothing; rank 0 is one element.", try_empty_copies},
    {"copies/within-device", "From storage to storage, and nothing beside.",
     try_copies_within_device},
    {"streams/numbers", "Each enqueue takes the next number, from 1.", try_numbers},
    {"streams/order", "Work on a stream is done in its order.", try_order_of_work},
    {"streams/handed-over", "A storage serves whichever stream, once the work of others is done.",
     try_handed_over_memory},
    {"streams/completion", "`wait`, `completed` and the counter agree.", try_completion},
    {"streams/absent-work", "Waiting for a number that no work has is SY_INVALID.",
     try_absent_work},
    {"streams/late-failure",
     "An error after an enqueue fails waits for its number and later ones, not for earlier ones.",
     try_late_failure},
    {"streams/cached-memory",
     "CACHES_MEMORY: work of the stream that allocated it may use what is released.",
     try_cached_memory},
    {"events/order", "A stream that waits for an event sees the work before it.", try_events},
    {"events/fresh", "Waiting for an event that nobody recorded returns at once.", try_fresh_event},
    {"threads/streams", "All functions may be called at once, a stream each.",
     try_streams_of_threads},
    {"threads/one-stream", "THREAD_SAFE_RUN: several callers may drive a stream at once.",
     try_stream_of_many_threads},
    {"threads/one-kernel", "A kernel may run on several streams at once.",
     try_kernel_of_many_threads},
    {"unknown/grown-structs", "Longer structs and unknown extensions are as good, everywhere.",
     try_grown_structs},
    {"unknown/dtype", "An element type that there is not is SY_UNSUPPORTED.", try_unknown_dtype},
    {"unknown/region", "A kind of region that there is not is SY_UNSUPPORTED.", try_unknown_region},
    {"unknown/value-flags",
     "A value's flags are ignored where they are not known, or refused if of SY_FLAGS_TO_KNOW.",
     try_unknown_value_flags},
    {"unknown/op", "`prepare` of an op that there is not is SY_UNSUPPORTED.", try_unknown_op},
    {"unknown/null-errors", "`error` may be null in calls that fail.", try_null_errors},
};

}  // namespace

std::span<const CaseRow> device_cases() { return kCases; }

}  // namespace switchyard::cli::conform
