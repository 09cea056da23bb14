#include "io/safetensors_type.hpp"

namespace switchyard {

// The widest first, so that every tensor is aligned; among equals the order of the reference
// implementation's enumeration, from its end.
std::span<const SafetensorsType> safetensors_types() {
  static constexpr SafetensorsType kTypes[] = {
      {DType::uint64, "U64"},         {DType::int64, "I64"},     {DType::float64, "F64"},
      {DType::complex64, "C64"},      {DType::float32, "F32"},   {DType::uint32, "U32"},
      {DType::int32, "I32"},          {DType::bfloat16, "BF16"}, {DType::float16, "F16"},
      {DType::uint16, "U16"},         {DType::int16, "I16"},     {DType::float8e4m3fn, "F8_E4M3"},
      {DType::float8e5m2, "F8_E5M2"}, {DType::int8, "I8"},       {DType::uint8, "U8"},
      {DType::bool_, "BOOL"},
  };
  return kTypes;
}

}  // namespace switchyard
