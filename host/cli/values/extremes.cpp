#include "cli/values/extremes.hpp"

#include <cmath>
#include <limits>

namespace switchyard::cli {

Extremes extremes_of(const std::vector<double>& elements) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Extremes extremes{infinity, -infinity, 0};
  for (double element : elements) {
    extremes.smallest = std::fmin(extremes.smallest, element);
    extremes.largest = std::fmax(extremes.largest, element);
    extremes.mean += element / static_cast<double>(elements.size());
  }
  return extremes;
}

}  // namespace switchyard::cli
