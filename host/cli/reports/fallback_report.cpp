#include "cli/reports/fallback_report.hpp"

#include <fmt/format.h>

#include "cli/terminal/quantity.hpp"
#include "cli/terminal/text_table.hpp"

namespace switchyard::cli {

std::string fallback_table(const std::vector<FallbackInfo>& fallbacks) {
  TextTable table(
      {{"op"}, {"from"}, {"to"}, {"count", true}, {"copied", true}, {"time", true}, {"why"}});
  for (const FallbackInfo& fallback : fallbacks) {
    table.add({fallback.op, fallback.from, fallback.to, std::to_string(fallback.count),
               bytes_text(fallback.bytes_copied), time_text(fallback.time_ms),
               fmt::format("{}: {}", fallback.code, fallback.reason)});
  }
  return table.text();
}

}  // namespace switchyard::cli
