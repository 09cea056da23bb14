#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <switchyard/export.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

/// Element types, numbered as in ONNX's TensorProto.DataType and in the plugin ABI.
enum class DType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,  ///< host values only: text never reaches a plugin
  bool_ = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
  float8e8m0 = 24,  ///< a power of two, without a sign
  uint2 = 25,
  int2 = 26,
};

/// The largest of the numbers above.
inline constexpr DType kLastDType = DType::int2;

/// Bits of one element: 4 or 2 for the packed types, 0 for `string` and `undefined`.
[[nodiscard]] SWITCHYARD_API int bit_width(DType dtype);

/// Bytes that `elements` contiguous elements take; packed types round up to whole bytes.
[[nodiscard]] SWITCHYARD_API std::size_t byte_size(DType dtype, std::int64_t elements);

/// "float32", "bool", "bfloat16", ...: one name each, used in code, messages and JSON.
[[nodiscard]] SWITCHYARD_API std::string_view name_of(DType dtype);

/// The type with that name, or nothing.
[[nodiscard]] SWITCHYARD_API std::optional<DType> dtype_named(Text name);

}  // namespace switchyard
