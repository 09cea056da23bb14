#include "cli/conform/loading/loading_cases.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr CaseRow kCases[] = {
    {"loading/loads", "The host finds, trusts, opens, enters and probes it.", try_loading},
    {"loading/symbols", "It exports one symbol, switchyard_plugin_entry.", try_exported_symbols},
    {"loading/state", "Loading, entering and probing leave the process as it was.",
     try_state_at_load},
    {"loading/foreign-versions",
     "Ranges that it does not speak are SY_UNSUPPORTED, with a message.", try_foreign_versions},
    {"loading/version-range", "Of a range that holds its version it picks one.",
     try_wide_version_range},
    {"loading/null-error", "`error` may be null.", try_entry_without_error},
    {"loading/grown-entry", "A longer sy_entry_args, and unknown extensions, are as good.",
     try_grown_entry},
    {"loading/entered-twice", "Each host in the process enters it once.", try_second_entry},
    {"loading/table", "The table's texts are UTF-8, and its version is the one agreed on.",
     try_table},
    {"loading/probe-twice", "What probe tells stays, and a second call tells the same.",
     try_second_probe},
    {"loading/grown-probe", "A longer sy_probe_args, and unknown extensions, are as good.",
     try_grown_probe},
    {"loading/texts", "Names, messages and claims are UTF-8; what is not available says why.",
     try_device_texts},
    {"loading/devices", "Flags, alignments and memory kinds are those of this version.",
     try_device_facts},
    {"loading/claims", "Claims name types, versions, ranks and flags that there are.", try_claims},
};

}  // namespace

std::span<const CaseRow> loading_cases() { return kCases; }

}  // namespace switchyard::cli::conform
