/// @file
/// Sizes, names and sets of element types.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sy {

/// What is to be said of an element type.
struct DtypeRow {
  sy_dtype dtype;         ///< its number
  uint32_t bits;          ///< of one element
  std::string_view name;  ///< ONNX's, in lower case
};

/// All element types that this header knows.
inline constexpr std::array<DtypeRow, 25> dtype_rows = {{
    {SY_FLOAT32, 32, "float32"},
    {SY_UINT8, 8, "uint8"},
    {SY_INT8, 8, "int8"},
    {SY_UINT16, 16, "uint16"},
    {SY_INT16, 16, "int16"},
    {SY_INT32, 32, "int32"},
    {SY_INT64, 64, "int64"},
    {SY_BOOL, 8, "bool"},
    {SY_FLOAT16, 16, "float16"},
    {SY_FLOAT64, 64, "float64"},
    {SY_UINT32, 32, "uint32"},
    {SY_UINT64, 64, "uint64"},
    {SY_COMPLEX64, 64, "complex64"},
    {SY_COMPLEX128, 128, "complex128"},
    {SY_BFLOAT16, 16, "bfloat16"},
    {SY_FLOAT8E4M3FN, 8, "float8e4m3fn"},
    {SY_FLOAT8E4M3FNUZ, 8, "float8e4m3fnuz"},
    {SY_FLOAT8E5M2, 8, "float8e5m2"},
    {SY_FLOAT8E5M2FNUZ, 8, "float8e5m2fnuz"},
    {SY_UINT4, 4, "uint4"},
    {SY_INT4, 4, "int4"},
    {SY_FLOAT4E2M1, 4, "float4e2m1"},
    {SY_FLOAT8E8M0, 8, "float8e8m0"},
    {SY_UINT2, 2, "uint2"},
    {SY_INT2, 2, "int2"},
}};

inline constexpr uint32_t dtype_limit = 27;  ///< above every sy_dtype

/// Rows by number, so that the questions below cost one load.
inline constexpr std::array<DtypeRow, dtype_limit> dtype_table = [] {
  std::array<DtypeRow, dtype_limit> table{};
  for (const DtypeRow& row : dtype_rows) table[static_cast<size_t>(row.dtype)] = row;
  return table;
}();

/// The row of a type; that of no type, with 0 bits and no name, for a number that is not known.
constexpr const DtypeRow& dtype_row(sy_dtype dtype) noexcept {
  const auto index = static_cast<uint32_t>(dtype);
  return dtype_table[index < dtype_limit ? index : 0];
}

/// Bits of one element; 0 for a type this header does not know.
constexpr uint32_t dtype_bits(sy_dtype dtype) noexcept { return dtype_row(dtype).bits; }

/// Bytes of one element; 0 for types packed below a byte and for unknown ones.
constexpr size_t dtype_bytes(sy_dtype dtype) noexcept { return dtype_bits(dtype) / 8; }

/// Whether several elements share a byte.
constexpr bool is_sub_byte(sy_dtype dtype) noexcept {
  return dtype_bits(dtype) != 0 && dtype_bits(dtype) < 8;
}

/// Bytes of `count` contiguous elements, a half-filled last byte counted whole.
constexpr uint64_t contiguous_bytes(sy_dtype dtype, uint64_t count) noexcept {
  return is_sub_byte(dtype) ? (count * dtype_bits(dtype) + 7) / 8 : count * dtype_bytes(dtype);
}

/// "float32"; "unknown type" for a number that is not known.
constexpr std::string_view dtype_name(sy_dtype dtype) noexcept {
  const std::string_view name = dtype_row(dtype).name;
  return name.empty() ? std::string_view("unknown type") : name;
}

/// Sets for claims.
/// @{
inline constexpr uint64_t float_dtypes = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT64) |
                                         SY_DTYPE_BIT(SY_FLOAT16) | SY_DTYPE_BIT(SY_BFLOAT16);
inline constexpr uint64_t signed_dtypes = SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_INT16) |
                                          SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);
inline constexpr uint64_t unsigned_dtypes = SY_DTYPE_BIT(SY_UINT8) | SY_DTYPE_BIT(SY_UINT16) |
                                            SY_DTYPE_BIT(SY_UINT32) | SY_DTYPE_BIT(SY_UINT64);
inline constexpr uint64_t integer_dtypes = signed_dtypes | unsigned_dtypes;
/// @}

/// The sy_dtype of a C++ type that holds its elements; types without one do not compile.
template <typename T>
struct DtypeOf;
template <>
struct DtypeOf<float> {
  static constexpr sy_dtype value = SY_FLOAT32;
};
template <>
struct DtypeOf<double> {
  static constexpr sy_dtype value = SY_FLOAT64;
};
template <>
struct DtypeOf<int8_t> {
  static constexpr sy_dtype value = SY_INT8;
};
template <>
struct DtypeOf<int16_t> {
  static constexpr sy_dtype value = SY_INT16;
};
template <>
struct DtypeOf<int32_t> {
  static constexpr sy_dtype value = SY_INT32;
};
template <>
struct DtypeOf<int64_t> {
  static constexpr sy_dtype value = SY_INT64;
};
template <>
struct DtypeOf<uint8_t> {
  static constexpr sy_dtype value = SY_UINT8;
};
template <>
struct DtypeOf<uint16_t> {
  static constexpr sy_dtype value = SY_UINT16;
};
template <>
struct DtypeOf<uint32_t> {
  static constexpr sy_dtype value = SY_UINT32;
};
template <>
struct DtypeOf<uint64_t> {
  static constexpr sy_dtype value = SY_UINT64;
};
template <>
struct DtypeOf<bool> {
  static constexpr sy_dtype value = SY_BOOL;
};

/// DtypeOf<T>::value.
template <typename T>
inline constexpr sy_dtype dtype_of = DtypeOf<T>::value;

}  // namespace sy
