// Division rounded down, of one element.
#pragma once

#include <cmath>
#include <type_traits>

namespace cpu {

// From the exact remainder, as the rounded quotient of floats may already be the next integer;
// a zero has the quotient's sign. Integers divided by 0 are 0, and the smallest divided by -1 is
// itself.
template <typename T>
T floor_quotient(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (y == 0) return x / y;
    const double rest = std::fmod(x, y);
    const double quotient = (x - rest) / y;
    const bool rounds_away = rest != 0 && (rest < 0) != (y < 0);
    const double whole = std::nearbyint(rounds_away ? quotient - 1 : quotient);
    return whole == 0 ? std::copysign(T{0}, x / y) : static_cast<T>(whole);
  } else {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (y == -1) return static_cast<T>(-static_cast<std::make_unsigned_t<T>>(x));
    }
    const bool rounds_away = x % y != 0 && (x < 0) != (y < 0);
    return static_cast<T>(x / y - (rounds_away ? 1 : 0));
  }
}

}  // namespace cpu
