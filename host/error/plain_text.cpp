#include "error/plain_text.hpp"

#include <algorithm>
#include <cstdint>

namespace switchyard {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The character at the start of a text, and its bytes; those of length 0 are not UTF-8.
struct Character {
  char32_t code = 0;
  std::size_t length = 0;
};

Character first_of(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  char32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || code > 0x10FFFF || is_surrogate) return {};
  return {code, length};
}

bool steers_a_terminal(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||  // C0, DEL, C1
         (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool is_plain_ascii(char c) { return c >= 0x20 && c < 0x7F; }

/// The position of the character in which byte `at` lies, at most three bytes before.
std::size_t character_start(std::string_view text, std::size_t at) {
  for (int i = 0; i < 3 && at > 0 && is_continuation(text[at]); ++i) --at;
  return at;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    if (is_plain_ascii(text[0]) || text[0] == '\n' || text[0] == '\t') {
      plain += text[0];
      text.remove_prefix(1);
      continue;
    }
    const Character character = first_of(text);
    const std::size_t length = std::max<std::size_t>(character.length, 1);
    if (character.length == 0 || steers_a_terminal(character.code)) {
      plain += '?';
    } else {
      plain += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return plain;
}

std::string plain_line(std::string_view text) {
  constexpr std::string_view kGap = " ... ";
  constexpr std::size_t kTail = kLongestLine / 4;
  constexpr std::size_t kHead = kLongestLine - kTail - kGap.size();
  std::string shortened;
  if (text.size() > kLongestLine) {
    const std::size_t tail = character_start(text, text.size() - kTail + 3);
    shortened += text.substr(0, character_start(text, kHead));
    shortened += kGap;
    shortened += text.substr(tail);
    text = shortened;
  }
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return plain_text(line);
}

}  // namespace switchyard
