#include "io/unicode.hpp"

#include <cstdint>

namespace switchyard {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool is_character(char32_t c) { return c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF); }

void append_utf8(std::string& text, char32_t c) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | c >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// How many bytes a character takes that begins with this one; 0 if none does.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

// The character at the start of `text`; `length` becomes 1 with U+FFFD where there is none.
char32_t decode(std::string_view text, std::size_t& length) {
  const auto first = static_cast<unsigned char>(text[0]);
  length = length_of(first);
  if (length == 1) return first;
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  char32_t c = length == 0 ? 0 : first & (0x7F >> length);
  bool is_valid = length > 0 && length <= text.size();
  for (std::size_t i = 1; is_valid && i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    is_valid = (next & 0xC0) == 0x80;
    c = c << 6 | (next & 0x3F);
  }
  if (is_valid && c >= kSmallest[length] && is_character(c)) return c;
  length = 1;
  return kReplacement;
}

}  // namespace

std::string utf8_from_utf32(std::span<const std::byte> bytes, bool is_big_endian) {
  std::string text;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    char32_t c = 0;
    for (std::size_t b = 0; b < 4; ++b) {
      c = c << 8 | std::to_integer<std::uint32_t>(bytes[i + (is_big_endian ? b : 3 - b)]);
    }
    append_utf8(text, is_character(c) ? c : kReplacement);
  }
  return text;
}

std::u32string utf32_from_utf8(std::string_view text) {
  std::u32string characters;
  for (std::size_t at = 0, length = 0; at < text.size(); at += length) {
    characters += decode(text.substr(at), length);
  }
  return characters;
}

}  // namespace switchyard
