/// @file
/// Sentences from pieces, for errors and verdicts: sy::text("rank ", 5, " is above ", 4).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace sy {

/// Adds a piece as it is read: texts as they are, numbers in decimal.
/// @{
inline void append_text(std::string& out, std::string_view piece) { out += piece; }

inline void append_text(std::string& out, std::integral auto number) {
  out += std::to_string(number);
}

inline void append_text(std::string& out, double number) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%g", number);
  out += buffer;
}
/// @}

/// A shape or strides: [2, 3].
inline void append_text(std::string& out, std::span<const int64_t> numbers) {
  out += '[';
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) out += ", ";
    out += std::to_string(numbers[i]);
  }
  out += ']';
}

/// Joins text, numbers and spans of int64_t.
template <typename... Pieces>
std::string text(const Pieces&... pieces) {
  std::string out;
  (append_text(out, pieces), ...);
  return out;
}

/// Copies `source` into a fixed buffer of `capacity` bytes, cut at a character of UTF-8 if it is
/// too long, and ends it with NUL. Never throws.
inline void write_text(char* buffer, size_t capacity, std::string_view source) noexcept {
  if (capacity == 0) return;
  size_t size = source.size() < capacity ? source.size() : capacity - 1;
  if (size < source.size()) {
    while (size > 0 && (static_cast<unsigned char>(source[size]) & 0xC0u) == 0x80u) --size;
  }
  std::memcpy(buffer, source.data(), size);
  buffer[size] = '\0';
}

}  // namespace sy
