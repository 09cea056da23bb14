#include "cli/arguments/number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>

namespace switchyard::cli {
namespace {

template <typename T>
std::optional<T> parse_integer(const std::string& text) {
  T value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Not all standard libraries have from_chars for it.
std::optional<double> real_number(const std::string& text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double value = 0;
  const bool is_read = static_cast<bool>(stream >> std::noskipws >> value);
  if (!is_read || stream.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

template <typename T>
std::string text_of(Range<T> range) {
  if (range.most == std::numeric_limits<T>::max() && std::is_floating_point_v<T>) {
    return fmt::format("of at least {}", range.least);
  }
  return fmt::format("from {} to {}", range.least, range.most);
}

template <typename T>
T within(const std::string& flag, const std::string& text, std::optional<T> value, Range<T> range,
         const char* kind) {
  if (value && *value >= range.least && *value <= range.most) return *value;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{}: '{}' is not {} {}", flag, text, kind, text_of(range)));
}

}  // namespace

std::int64_t read_number(const std::string& flag, const std::string& text,
                         Range<std::int64_t> range) {
  return within(flag, text, parse_integer<std::int64_t>(text), range, "an integer");
}

std::uint64_t read_number(const std::string& flag, const std::string& text,
                          Range<std::uint64_t> range) {
  return within(flag, text, parse_integer<std::uint64_t>(text), range, "an integer");
}

double read_number(const std::string& flag, const std::string& text, Range<double> range) {
  return within(flag, text, real_number(text), range, "a finite number");
}

}  // namespace switchyard::cli
