#include "cli/conform/plugin/text_check.hpp"

#include <cstring>

#include "cli/conform/case.hpp"

namespace switchyard::cli::conform {
namespace {

/// The bytes that follow the first one of a sequence of UTF-8; -1 for one that begins none.
int following(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) return 1;
  if (first >= 0xe0 && first < 0xf0) return 2;
  if (first >= 0xf0 && first < 0xf5) return 3;
  return -1;
}

void require_utf8(std::string_view text, std::string_view what) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t start = i;
    int left = following(static_cast<unsigned char>(text[i]));
    bool whole = left >= 0;
    for (; whole && left > 0; --left) {
      ++i;
      whole = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
    }
    if (!whole) fail("{} is not UTF-8 at byte {}", what, start);
  }
}

}  // namespace

void require_text(const char* text, std::size_t size_bytes, std::string_view what) {
  const std::size_t length = ::strnlen(text, size_bytes);
  if (length == size_bytes) fail("{} does not end in NUL within its {} bytes", what, size_bytes);
  if (length == 0) fail("{} is empty", what);
  require_utf8({text, length}, what);
}

void require_plain_text(const char* text, std::string_view what) {
  constexpr std::size_t most = 64 * 1024;
  if (text == nullptr) fail("{} is null", what);
  const std::size_t length = ::strnlen(text, most);
  if (length == most) fail("{} does not end within {} bytes", what, most);
  require_utf8({text, length}, what);
}

}  // namespace switchyard::cli::conform
