#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace switchyard {

/// Text of four-byte characters as UTF-8. What is not a character becomes U+FFFD.
std::string utf8_from_utf32(std::span<const std::byte> bytes, bool is_big_endian);

/// The reverse. Bytes that are not UTF-8 become U+FFFD each.
std::u32string utf32_from_utf8(std::string_view text);

}  // namespace switchyard
