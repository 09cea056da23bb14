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

/// The exhibits side by side, two rows of pixels a line of text: as half blocks in greys on a
/// terminal, elsewhere in characters of growing weight.
std::string draw(const PictureSet& pictures, const std::vector<Exhibit>& exhibits);

}  // namespace demo
