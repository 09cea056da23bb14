#pragma once

#include <vector>

namespace switchyard::cli {

/// The smallest and largest element that is a number, and the mean of all.
struct Extremes {
  double smallest = 0;
  double largest = 0;
  double mean = 0;

  bool has_none() const { return smallest > largest; }  // no element is a number
};

/// Of at least one element.
Extremes extremes_of(const std::vector<double>& elements);

}  // namespace switchyard::cli
