#include "cli/conform/devices/device_cases.hpp"

#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {
namespace {

void try_opening(CaseRun& run) { TestDevice device(run); }

constexpr CaseRow kCases[] = {
    {"devices/opens", "An available device opens and closes.", try_opening},
};

}  // namespace

std::span<const CaseRow> device_cases() { return kCases; }

}  // namespace switchyard::cli::conform
