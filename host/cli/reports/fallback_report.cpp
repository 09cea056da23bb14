#include "cli/reports/fallback_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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

Json to_json(const std::vector<FallbackInfo>& fallbacks) {
  Json list = Json::array();
  for (const FallbackInfo& fallback : fallbacks) {
    list.push_back({{"op", fallback.op},
                    {"from", fallback.from},
                    {"to", fallback.to},
                    {"code", fallback.code},
                    {"reason", fallback.reason},
                    {"count", fallback.count},
                    {"bytes_copied", fallback.bytes_copied},
                    {"time_ms", fallback.time_ms}});
  }
  return list;
}

}  // namespace switchyard::cli
