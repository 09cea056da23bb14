#include "cli/arguments/assignment.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "cli/arguments/number.hpp"

namespace switchyard::cli {

std::pair<std::string, std::string> read_assignment(const std::string& flag,
                                                    const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    throw Error(ErrorKind::invalid_argument, fmt::format("{}: '{}' is not NAME=VALUE", flag, text));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

std::map<std::string, std::int64_t> read_dims(const std::vector<std::string>& texts) {
  std::map<std::string, std::int64_t> dims;
  for (const std::string& text : texts) {
    const auto [name, value] = read_assignment("--dim", text);
    const std::int64_t extent = read_number("--dim " + name, value, Range<std::int64_t>{});
    if (!dims.emplace(name, extent).second) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("--dim {}: given twice; drop one", name));
    }
  }
  return dims;
}

}  // namespace switchyard::cli
