#pragma once

#include <string>
#include <string_view>

namespace switchyard {

/// Text from anywhere (names out of a file, what a plugin says), fit for a terminal. What could
/// steer one becomes '?': control characters, characters that turn the direction of writing, and
/// bytes that are not UTF-8. Line ends and tabs stay.
std::string plain_text(std::string_view text);

/// The same as one line of at most kLongestLine bytes: line ends and tabs become blanks, and a
/// longer text loses its middle.
std::string plain_line(std::string_view text);

constexpr std::size_t kLongestLine = 4096;

}  // namespace switchyard
