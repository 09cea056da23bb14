#pragma once

#include <span>

#include "cli/conform/case.hpp"

namespace switchyard::cli::conform {

/// What is tried before a device is opened: the file, the entry, the table, the probe.
std::span<const CaseRow> loading_cases();

// file.cpp
void try_loading(CaseRun& run);
void try_exported_symbols(CaseRun& run);
void try_state_at_load(CaseRun& run);
// entry.cpp
void try_foreign_versions(CaseRun& run);
void try_wide_version_range(CaseRun& run);
void try_entry_without_error(CaseRun& run);
void try_grown_entry(CaseRun& run);
void try_second_entry(CaseRun& run);
void try_table(CaseRun& run);
// probing.cpp
void try_second_probe(CaseRun& run);
void try_grown_probe(CaseRun& run);
void try_device_texts(CaseRun& run);
void try_device_facts(CaseRun& run);
void try_claims(CaseRun& run);

}  // namespace switchyard::cli::conform
