#include "kernels/elementwise/binary_functions.hpp"

#include <cmath>
#include <type_traits>

#include "loops/scalar_rows.hpp"
#include "simd/floor_quotient.hpp"
#include "simd/vector_rows.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

// ---- one element; integers wrap, and what is divided by 0 is 0

template <typename T>
using Wrapping = std::conditional_t<sizeof(T) < sizeof(int), unsigned, std::make_unsigned_t<T>>;

template <typename T>
T add(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) + static_cast<Wrapping<T>>(y));
  } else {
    return x + y;
  }
}
template <typename T>
T subtract(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) - static_cast<Wrapping<T>>(y));
  } else {
    return x - y;
  }
}
template <typename T>
T multiply(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) * static_cast<Wrapping<T>>(y));
  } else {
    return x * y;
  }
}
template <typename T>
T divide(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (y == -1) return subtract<T>(0, x);
    }
  }
  return static_cast<T>(x / y);
}
template <typename T>
T smaller(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x)) return x;
    if (std::isnan(y)) return y;
  }
  return y < x ? y : x;
}
template <typename T>
T larger(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x)) return x;
    if (std::isnan(y)) return y;
  }
  return x < y ? y : x;
}
// The remainder has the divisor's sign.
template <typename T>
T floor_mod(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    const T rest = std::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
  } else {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (y == -1) return 0;
    }
    const T rest = static_cast<T>(x % y);
    return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
  }
}

// The remainder has the dividend's sign.
template <typename T>
T truncated_mod(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(x, y);
  } else {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (y == -1) return 0;
    }
    return static_cast<T>(x % y);
  }
}

template <typename T>
T log_add_exp(T x, T y) {
  if (x == y && std::isinf(x)) return x;
  return (x > y ? x : y) + std::log1p(std::exp(-std::abs(x - y)));
}

// ---- rows

struct BinaryFunction {
  std::string_view name;
  int64_t grain;
};

constexpr BinaryFunction binary_functions[] = {
#define FUNCTION(name, grain, vector, exact) {#name, grain##_grain},
#define ARITHMETIC FUNCTION
#define FORM FUNCTION
#include "simd/binary_functions.def"
#undef FORM
#undef ARITHMETIC
#undef FUNCTION
};

// What takes vectors some time takes C's functions of double much.
int64_t grain_of(std::string_view name, sy_dtype dtype) {
  for (const BinaryFunction& function : binary_functions) {
    if (function.name != name) continue;
    const bool is_expensive = dtype == SY_FLOAT64 && function.grain == medium_grain;
    return is_expensive ? expensive_grain : function.grain;
  }
  throw sy::bug("no function of two numbers ", name);
}

template <typename T>
InnerLoop exact_row(std::string_view name) {
#define FUNCTION(known, grain, vector, exact)                      \
  if constexpr (std::is_floating_point_v<T>) {                     \
    constexpr auto function = [](T x, T y) -> T { return exact; }; \
    if (name == #known) return binary_row<T, T, T, function>;      \
  }
#define FORM FUNCTION
#define ARITHMETIC(known, grain, vector, exact)                    \
  {                                                                \
    constexpr auto function = [](T x, T y) -> T { return exact; }; \
    if (name == #known) return binary_row<T, T, T, function>;      \
  }
#include "simd/binary_functions.def"
#undef ARITHMETIC
#undef FORM
#undef FUNCTION
  throw sy::bug("no function ", name, " of integers");
}

using PlainTypes =
    TypeList<double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;

}  // namespace

InnerLoop binary_function_row(std::string_view name, sy_dtype dtype) {
  if (dtype == SY_FLOAT32) return vector_binary_row(name);
  return visit_dtype(PlainTypes{}, dtype,
                     [&](auto zero) { return exact_row<decltype(zero)>(name); });
}

Loop binary_function_loop(std::string_view name, sy_dtype dtype) {
  const bool is_narrow = dtype == SY_FLOAT16 || dtype == SY_BFLOAT16;
  const sy_dtype inner = is_narrow ? SY_FLOAT32 : dtype;
  const Loop loop{binary_function_row(name, inner), {}, grain_of(name, inner)};
  return converted(loop, {inner, inner, inner}, {dtype, dtype, dtype});
}

}  // namespace cpu
