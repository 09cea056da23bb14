#include "cli/reports/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/terminal/terminal.hpp"

namespace switchyard::cli {
namespace {

std::string indented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += fmt::format("  {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace

std::string text_of(const std::vector<Report>& reports) {
  std::string text;
  for (const Report& report : reports) {
    text += paint(Colour::bold, report.subject) + " says\n" + indented(report.text);
  }
  return text;
}

Json json_of(const std::vector<Report>& reports) {
  Json list = Json::array();
  for (const Report& report : reports) {
    list.push_back({{"subject", report.subject}, {"text", report.text}});
  }
  return list;
}

}  // namespace switchyard::cli
