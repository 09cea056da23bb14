// Elements as numbers, and the numbers that are not finite.
#pragma once

#include <limits>
#include <switchyard/functions.hpp>
#include <vector>

namespace switchyard {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The elements, of any type, in their order.
inline std::vector<double> values(const Tensor& x) {
  return x.to(DType::float64).to_vector<double>();
}

}  // namespace switchyard
