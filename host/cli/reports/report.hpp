#pragma once

#include <string>
#include <vector>

#include "cli/terminal/json.hpp"

namespace switchyard::cli {

/// What a plugin or a device says of itself.
struct Report {
  std::string subject;  // "plugin NAME", "device NAME:INDEX"
  std::string text;     // lines
};

/// For people: who says it, and below it the lines, indented.
std::string text_of(const std::vector<Report>& reports);
Json json_of(const std::vector<Report>& reports);

}  // namespace switchyard::cli
