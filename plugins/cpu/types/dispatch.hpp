// From a dtype known at run time to a C++ type.
//
//   visit_dtype<float, double, int64_t>(tensor.dtype, [&](auto zero) { using T = decltype(zero);
//   ... });
#pragma once

#include <switchyard/plugin.h>

#include <utility>

#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"
#include "types/numeric.hpp"

namespace cpu {

template <typename... Types>
struct TypeList {};

using IntegerTypes =
    TypeList<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
using FloatTypes = TypeList<float, double, Float16, BFloat16>;
using NumericTypes = TypeList<float, double, Float16, BFloat16, int8_t, int16_t, int32_t, int64_t,
                              uint8_t, uint16_t, uint32_t, uint64_t>;
using ByteTypes =  // every type of at least a byte but the complex ones
    TypeList<float, double, Float16, BFloat16, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
             uint32_t, uint64_t, bool, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ,
             Float8E8M0>;

// Calls `function` with a zero of the type that holds `dtype`; returns what it returns. Throws
// sy::unsupported if the list has no such type.
template <typename First, typename... Rest, typename Function>
auto visit_dtype(TypeList<First, Rest...>, sy_dtype dtype, Function&& function) {
  if (dtype == sy::dtype_of<First>) return function(First{});
  if constexpr (sizeof...(Rest) > 0) {
    return visit_dtype(TypeList<Rest...>{}, dtype, std::forward<Function>(function));
  } else {
    using Result = decltype(function(First{}));
    throw sy::unsupported(SY_REASON_DTYPE, "no kernel for ", sy::dtype_name(dtype));
    return Result();
  }
}

template <typename... Types, typename Function>
auto visit_dtype(sy_dtype dtype, Function&& function) {
  return visit_dtype(TypeList<Types...>{}, dtype, std::forward<Function>(function));
}

template <typename... Types>
constexpr uint64_t dtypes_of(TypeList<Types...>) {
  return (SY_DTYPE_BIT(sy::dtype_of<Types>) | ...);
}

}  // namespace cpu
