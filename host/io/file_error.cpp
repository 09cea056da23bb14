#include "io/file_error.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "files/regular_file.hpp"

namespace switchyard {

namespace {

constexpr std::size_t kLongestName = 120;

}  // namespace

std::string in_quotes(std::string_view name) {
  const bool is_long = name.size() > kLongestName;
  return fmt::format("'{}{}'", name.substr(0, kLongestName), is_long ? "..." : "");
}

void refuse(const std::string& where, const std::string& what) {
  throw Error(ErrorKind::model, fmt::format("{}: {}", where, what));
}

void refuse_unreadable(const std::string& file, const std::error_code& reason) {
  throw Error(kind_of(reason), fmt::format("{}: cannot read it: {}", file, reason.message()));
}

}  // namespace switchyard
