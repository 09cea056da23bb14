/// @file
/// Division that rounds up.
#pragma once

#include <type_traits>

namespace sy {

/// x / y rounded up, of y > 0. Unlike (x + y - 1) / y it holds for the largest numbers, too.
template <typename X, typename Y>
constexpr auto ceil_div(X x, Y y) {
  static_assert(std::is_integral_v<X> && std::is_integral_v<Y>);
  static_assert(std::is_signed_v<X> == std::is_signed_v<Y>);
  return x / y + (x % y > 0 ? 1 : 0);
}

}  // namespace sy
