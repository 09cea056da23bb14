#include "io/file_error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <switchyard/error.hpp>

namespace switchyard {

namespace {

constexpr std::size_t kLongestName = 120;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

}  // namespace

std::string in_quotes(std::string_view name) {
  const bool is_long = name.size() > kLongestName;
  return fmt::format("'{}{}'", name.substr(0, kLongestName), is_long ? "..." : "");
}

void refuse(const std::string& where, const std::string& what) {
  std::string line = fmt::format("{}: {}", where, what);
  // Names come out of the file and may hold anything.
  std::replace_if(line.begin(), line.end(), is_control, '?');
  throw Error(ErrorKind::model, line);
}

}  // namespace switchyard
