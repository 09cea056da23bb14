#include "cli/conform/process/case_groups.hpp"

#include <algorithm>
#include <string_view>

namespace switchyard::cli::conform {
namespace {

/// The op of a case of kernels/, "kernels/Relu"; "" for other cases.
std::string_view op_of(const ListedCase& one) {
  const std::string_view name = one.name;
  return name.starts_with("kernels/") ? name.substr(0, name.rfind('/')) : std::string_view();
}

Cases first_group(Cases cases) {
  const std::string_view op = op_of(cases.front());
  if (op.empty()) return cases.first(1);
  const auto end = std::find_if(cases.begin(), cases.end(),
                                [op](const ListedCase& one) { return op_of(one) != op; });
  return cases.first(static_cast<std::size_t>(end - cases.begin()));
}

}  // namespace

std::vector<Cases> groups_of(Cases cases) {
  std::vector<Cases> groups;
  while (!cases.empty()) {
    groups.push_back(first_group(cases));
    cases = cases.subspan(groups.back().size());
  }
  return groups;
}

}  // namespace switchyard::cli::conform
