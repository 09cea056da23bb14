#include "cli/conform/case_list.hpp"

#include <memory>

#include "cli/conform/allocations/allocation_cases.hpp"
#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/kernels/op_cases.hpp"
#include "cli/conform/loading/loading_cases.hpp"
#include "cli/conform/plugin/plugin_under_test.hpp"
#include "cli/conform/programs/program_cases.hpp"

namespace switchyard::cli::conform {
namespace {

void add_rows(std::span<const CaseRow> rows, std::vector<Case>& cases) {
  for (const CaseRow& row : rows) {
    cases.push_back({std::string(row.name), std::string(row.proves), row.run});
  }
}

}  // namespace

std::vector<Case> table_cases() {
  std::vector<Case> cases;
  add_rows(loading_cases(), cases);
  add_rows(device_cases(), cases);
  add_rows(program_cases(), cases);
  add_rows(allocation_cases(), cases);
  return cases;
}

std::vector<Case> all_cases(const PluginUnderTest& tried) {
  std::vector<Case> cases = table_cases();
  try {
    const std::shared_ptr<const Plugin> plugin = load(tried);
    add_kernel_cases(device_info(*plugin, tried.device), cases);
  } catch (const CaseFailed&) {  // the cases of `loading` say it
  } catch (const CaseSkipped&) {
  }
  return cases;
}

}  // namespace switchyard::cli::conform
