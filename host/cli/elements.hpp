#pragma once

#include <string>
#include <vector>

#include "ops/literal.hpp"

namespace switchyard::cli {

/// The elements as double, a complex one as its two parts. 64-bit integers lose what a double
/// cannot hold. Throws Error(unsupported) for text.
std::vector<double> to_doubles(const Literal& literal);

/// The smallest and largest element that is a number, and the mean of all.
struct Extremes {
  double smallest = 0;
  double largest = 0;
  double mean = 0;
};

/// Of at least one element.
Extremes extremes_of(const std::vector<double>& elements);

}  // namespace switchyard::cli
