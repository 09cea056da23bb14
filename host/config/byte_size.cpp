#include "config/byte_size.hpp"

#include <array>
#include <limits>

namespace switchyard::config {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t bytes;
};

constexpr std::uint64_t kibi = 1024;
constexpr std::uint64_t kilo = 1000;

constexpr std::array<Unit, 10> units = {{{"", 1},
                                         {"B", 1},
                                         {"KiB", kibi},
                                         {"MiB", kibi* kibi},
                                         {"GiB", kibi* kibi* kibi},
                                         {"TiB", kibi* kibi* kibi* kibi},
                                         {"KB", kilo},
                                         {"MB", kilo* kilo},
                                         {"GB", kilo* kilo* kilo},
                                         {"TB", kilo* kilo* kilo* kilo}}};

constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();

// Appends one digit, or says that the sum no longer fits.
bool append_digit(std::uint64_t& number, char digit) {
  const auto value = static_cast<std::uint64_t>(digit - '0');
  if (number > (largest - value) / 10) return false;
  number = number * 10 + value;
  return true;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  std::uint64_t number = 0;
  std::uint64_t divisor = 1;
  std::size_t at = 0;
  bool any_digit = false;
  bool fraction = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !fraction)); ++at) {
    if (text[at] == '.') {
      fraction = true;
      continue;
    }
    if (!append_digit(number, text[at])) return std::nullopt;
    if (fraction && divisor > kilo * kilo) return std::nullopt;
    if (fraction) divisor *= 10;
    any_digit = true;
  }
  if (!any_digit || text[at - 1] == '.') return std::nullopt;
  if (at < text.size() && text[at] == ' ') ++at;

  for (const Unit& unit : units) {
    if (unit.name != text.substr(at)) continue;
    if (number > largest / unit.bytes) return std::nullopt;
    const std::uint64_t bytes = number * unit.bytes / divisor;
    // Half a byte is a slip; and as 0 bytes it would say that there is no limit.
    const bool is_slip = (fraction && unit.bytes == 1) || (bytes == 0 && number != 0);
    return is_slip ? std::nullopt : std::optional(bytes);
  }
  return std::nullopt;
}

}  // namespace switchyard::config
