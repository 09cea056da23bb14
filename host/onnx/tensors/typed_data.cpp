#include "onnx/tensors/typed_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "io/file_error.hpp"
#include "onnx/proto/messages.hpp"

namespace switchyard {

namespace {

/// The field of a TensorProto that holds its elements, for messages.
struct FieldName {
  std::string_view name;
  const std::string& where;
};

void check_count(std::int64_t held, std::int64_t expected, DType dtype, const Dims& shape,
                 const FieldName& field) {
  if (held == expected) return;
  refuse(field.where,
         fmt::format("{} of shape [{}] takes {} entries, but its {} holds {}; the file is damaged",
                     name_of(dtype), fmt::join(shape, ","), expected, field.name, held));
}

// Elements that the field holds as they are, `per_element` entries to one.
template <typename T, typename Field>
Literal copied(const Field& field, DType dtype, const Dims& shape, const FieldName& name,
               std::int64_t per_element = 1) {
  check_count(static_cast<std::int64_t>(field.size()), element_count(shape) * per_element, dtype,
              shape, name);
  Literal literal(dtype, shape);
  std::copy(field.begin(), field.end(), reinterpret_cast<T*>(literal.mutable_bytes()));
  return literal;
}

// Entries wider than the elements: numbers of either sign, or bit patterns.
template <typename T, typename Field>
Literal narrowed(const Field& field, DType dtype, const Dims& shape, std::int64_t entries,
                 const FieldName& name) {
  using Limits = std::numeric_limits<T>;
  using Wide = typename Field::value_type;
  check_count(static_cast<std::int64_t>(field.size()), entries, dtype, shape, name);
  Literal literal(dtype, shape);
  auto* elements = reinterpret_cast<T*>(literal.mutable_bytes());
  for (const Wide value : field) {
    const auto element = static_cast<T>(value);
    const bool fits = Limits::is_signed ? static_cast<Wide>(element) == value
                                        : value >= 0 && static_cast<Wide>(element) == value;
    if (!fits) {
      refuse(name.where, fmt::format("the entry {} of its {} does not fit {}; the file is damaged",
                                     value, name.name, name_of(dtype)));
    }
    *elements++ = element;
  }
  return literal;
}

// Several elements an entry, which is a byte. ONNX 1.16 wrote bytes of signed elements with their
// sign.
Literal packed_bytes(const std::vector<std::int32_t>& field, DType dtype, const Dims& shape,
                     const FieldName& name) {
  std::vector<std::int32_t> bytes(field.begin(), field.end());
  for (std::int32_t& byte : bytes) {
    if (byte >= -128 && byte < 0) byte += 256;
  }
  const auto entries = static_cast<std::int64_t>(byte_size(dtype, element_count(shape)));
  return narrowed<std::uint8_t>(bytes, dtype, shape, entries, name);
}

Literal from_int32s(const onnx::TensorProto& tensor, DType dtype, const Dims& shape,
                    const std::string& where) {
  const auto& field = tensor.int32_data;
  const FieldName name{"int32_data", where};
  const std::int64_t count = element_count(shape);
  switch (dtype) {
    case DType::int32: return copied<std::int32_t>(field, dtype, shape, name);
    case DType::int16: return narrowed<std::int16_t>(field, dtype, shape, count, name);
    case DType::int8: return narrowed<std::int8_t>(field, dtype, shape, count, name);
    case DType::uint16:
    case DType::float16:
    case DType::bfloat16: return narrowed<std::uint16_t>(field, dtype, shape, count, name);
    default:
      if (bit_width(dtype) < 8) return packed_bytes(field, dtype, shape, name);
      return narrowed<std::uint8_t>(field, dtype, shape, count, name);  // uint8, bool, float8
  }
}

}  // namespace

Literal typed_tensor(const onnx::TensorProto& tensor, DType dtype, const Dims& shape,
                     const std::string& where) {
  const FieldName floats{"float_data", where};
  const FieldName doubles{"double_data", where};
  const FieldName uint64s{"uint64_data", where};
  switch (dtype) {
    case DType::float32: return copied<float>(tensor.float_data, dtype, shape, floats);
    case DType::complex64: return copied<float>(tensor.float_data, dtype, shape, floats, 2);
    case DType::float64: return copied<double>(tensor.double_data, dtype, shape, doubles);
    case DType::complex128: return copied<double>(tensor.double_data, dtype, shape, doubles, 2);
    case DType::int64:
      return copied<std::int64_t>(tensor.int64_data, dtype, shape, {"int64_data", where});
    case DType::uint64: return copied<std::uint64_t>(tensor.uint64_data, dtype, shape, uint64s);
    case DType::uint32:
      return narrowed<std::uint32_t>(tensor.uint64_data, dtype, shape, element_count(shape),
                                     uint64s);
    default: return from_int32s(tensor, dtype, shape, where);
  }
}

}  // namespace switchyard
