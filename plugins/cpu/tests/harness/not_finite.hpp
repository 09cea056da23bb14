// Infinity and NaN.
#pragma once

#include <limits>

namespace cpu::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace cpu::testing
