#pragma once

#include <switchyard/dtype.hpp>

namespace switchyard {

/// The types that have gradients.
constexpr bool is_floating(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16 ||
         dtype == DType::bfloat16;
}

constexpr bool is_unsigned(DType dtype) {
  return dtype == DType::uint8 || dtype == DType::uint16 || dtype == DType::uint32 ||
         dtype == DType::uint64;
}

constexpr bool is_integer(DType dtype) {
  return is_unsigned(dtype) || dtype == DType::int8 || dtype == DType::int16 ||
         dtype == DType::int32 || dtype == DType::int64;
}

}  // namespace switchyard
