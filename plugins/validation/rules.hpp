// The rules of plugin.h that the host is held to. Each has a name, which violations are told under,
// and README.md says of each what plugin.h says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace validation {

enum class Rule : uint8_t {
  args,
  handle,
  device,
  recovered,
  close,
  caller,
  destroy,
  sequence,
  notice,
  order,
  release,
  kernel,
  map,
  allocate,
  import,
  host_memory,
  bounds,
  offset,
  overlap,
  copy,
  program,
  claim,
  prepared,
  binding,
  immediate,
  workspace,
  outputs,
  constant,
  event,
  launch,
  open,
  canary,
};

// In the order of the enumeration.
inline constexpr std::array rule_names = {
    std::string_view("args"),        std::string_view("handle"),    std::string_view("device"),
    std::string_view("recovered"),   std::string_view("close"),     std::string_view("caller"),
    std::string_view("destroy"),     std::string_view("sequence"),  std::string_view("notice"),
    std::string_view("order"),       std::string_view("release"),   std::string_view("kernel"),
    std::string_view("map"),         std::string_view("allocate"),  std::string_view("import"),
    std::string_view("host_memory"), std::string_view("bounds"),    std::string_view("offset"),
    std::string_view("overlap"),     std::string_view("copy"),      std::string_view("program"),
    std::string_view("claim"),       std::string_view("prepared"),  std::string_view("binding"),
    std::string_view("immediate"),   std::string_view("workspace"), std::string_view("outputs"),
    std::string_view("constant"),    std::string_view("event"),     std::string_view("launch"),
    std::string_view("open"),        std::string_view("canary"),
};
static_assert(rule_names.size() == static_cast<size_t>(Rule::canary) + 1);

constexpr std::string_view name_of(Rule rule) { return rule_names[static_cast<size_t>(rule)]; }

}  // namespace validation
