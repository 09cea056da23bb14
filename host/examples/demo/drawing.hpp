#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "picture_set.hpp"

namespace demo {

/// A picture and what is written under it, line by line.
struct Exhibit {
  std::size_t picture = 0;
  std::vector<std::string> caption;
};

/// True if standard output shows shades of grey: it is a terminal, and NO_COLOR is unset.
bool shows_greys();

/// How many pictures of so many columns fit side by side into the terminal, at least one; any
/// number where standard output is none.
std::size_t pictures_that_fit(std::size_t columns);

/// The exhibits side by side, two rows of pixels a line of text: as half blocks in greys on a
/// terminal, elsewhere in characters of growing weight.
std::string draw(const PictureSet& pictures, const std::vector<Exhibit>& exhibits);

}  // namespace demo
