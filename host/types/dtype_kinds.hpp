#pragma once

#include <switchyard/dtype.hpp>

namespace switchyard {

/// The types that have gradients.
constexpr bool is_floating(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16 ||
         dtype == DType::bfloat16;
}

/// The floating-point types of 8 and 4 bits.
constexpr bool is_small_float(DType dtype) {
  return (dtype >= DType::float8e4m3fn && dtype <= DType::float8e5m2fnuz) ||
         dtype == DType::float4e2m1 || dtype == DType::float8e8m0;
}

constexpr bool is_unsigned(DType dtype) {
  return dtype == DType::uint8 || dtype == DType::uint16 || dtype == DType::uint32 ||
         dtype == DType::uint64 || dtype == DType::uint4 || dtype == DType::uint2;
}

constexpr bool is_integer(DType dtype) {
  return is_unsigned(dtype) || dtype == DType::int8 || dtype == DType::int16 ||
         dtype == DType::int32 || dtype == DType::int64 || dtype == DType::int4 ||
         dtype == DType::int2;
}

}  // namespace switchyard
