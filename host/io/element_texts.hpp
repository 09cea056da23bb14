#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ops/literal.hpp"

namespace switchyard {

/// The elements of a tensor as PyTorch writes them, right-aligned to each other.
struct ElementTexts {
  std::vector<std::string> texts;
  std::size_t width = 1;  // of a column; texts of infinities and NaN may be wider

  explicit ElementTexts(const Literal& elements);
};

}  // namespace switchyard
