/// @file
/// Sizes and names of element types.
#ifndef SWITCHYARD_PLUGIN_DTYPE_H_
#define SWITCHYARD_PLUGIN_DTYPE_H_

#include <stddef.h>
#include <stdint.h>
#include <switchyard/plugin.h>

/// What is to be said of an element type.
typedef struct sy_dtype_row {
  uint32_t bits;     ///< of one element; 0: no such type
  const char* name;  ///< ONNX's, in lower case
} sy_dtype_row;

/// The row of a type; that of no type for a number that is not known.
static inline sy_dtype_row sy_row_of_dtype(sy_dtype dtype) {
  static const sy_dtype_row rows[] = {
      {0, "unknown type"},   {32, "float32"},     {8, "uint8"},          {8, "int8"},
      {16, "uint16"},        {16, "int16"},       {32, "int32"},         {64, "int64"},
      {0, "unknown type"},   {8, "bool"},         {16, "float16"},       {64, "float64"},
      {32, "uint32"},        {64, "uint64"},      {64, "complex64"},     {128, "complex128"},
      {16, "bfloat16"},      {8, "float8e4m3fn"}, {8, "float8e4m3fnuz"}, {8, "float8e5m2"},
      {8, "float8e5m2fnuz"}, {4, "uint4"},        {4, "int4"},           {4, "float4e2m1"},
      {8, "float8e8m0"},     {2, "uint2"},        {2, "int2"},
  };
  const size_t index = (size_t)(uint32_t)dtype;
  return rows[index < sizeof(rows) / sizeof(*rows) ? index : 0];
}

/// Bits of one element; 0 for a type that this header does not know.
static inline uint32_t sy_dtype_bits(sy_dtype dtype) { return sy_row_of_dtype(dtype).bits; }

/// Bytes of one element; 0 for types packed below a byte and for unknown ones.
static inline size_t sy_dtype_bytes(sy_dtype dtype) { return sy_dtype_bits(dtype) / 8; }

/// "float32"; "unknown type" for a number that is not known.
static inline const char* sy_dtype_name(sy_dtype dtype) { return sy_row_of_dtype(dtype).name; }

/// Bytes of `count` contiguous elements, a half-filled last byte counted whole.
static inline uint64_t sy_contiguous_bytes(sy_dtype dtype, uint64_t count) {
  const uint32_t bits = sy_dtype_bits(dtype);
  return bits < 8 ? (count * bits + 7) / 8 : count * (bits / 8);
}

#endif  // SWITCHYARD_PLUGIN_DTYPE_H_
