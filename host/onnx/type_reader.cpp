#include "onnx/type_reader.hpp"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "io/file_error.hpp"
#include "io/file_shape.hpp"
#include "onnx/tensor_reader.hpp"

namespace switchyard {

namespace {

void read_shape(const onnx::TensorShapeProto& shape, Value& value, const std::string& where) {
  Dims extents;
  for (const onnx::TensorShapeProto::Dimension& dim : shape.dim()) {
    // Some exporters write -1 for an extent that they do not know.
    const bool known = dim.has_dim_value() && dim.dim_value() >= 0;
    extents.push_back(known ? dim.dim_value() : kUnknown);
    value.dim_names.push_back(dim.dim_param());
  }
  Dims known = extents;
  std::replace(known.begin(), known.end(), kUnknown, std::int64_t{1});
  checked_shape(known.span(), where);
  value.shape = extents;
}

void read_tensor_type(const onnx::TypeProto::Tensor& type, Value& value, const std::string& where) {
  if (type.elem_type() != 0) value.dtype = dtype_from_onnx(type.elem_type(), where);
  if (type.has_shape()) read_shape(type.shape(), value, where);
}

// What a sequence or an optional holds. A sequence's elements may differ in shape, so theirs is not
// kept.
void read_element_type(const onnx::TypeProto& type, Value& value, const std::string& where) {
  if (type.has_sequence_type() && value.kind == ValueKind::optional) {
    value.optional_of_sequence = true;
    Value elements;
    elements.kind = ValueKind::sequence;
    read_element_type(type.sequence_type().elem_type(), elements, where);
    value.dtype = elements.dtype;
  } else if (type.has_tensor_type()) {
    read_tensor_type(type.tensor_type(), value, where);
    if (value.kind == ValueKind::sequence) {
      value.shape.reset();
      value.dim_names.clear();
    }
  } else if (type.value_case() != onnx::TypeProto::VALUE_NOT_SET) {
    refuse(where,
           "its type is a sequence or optional of something else than tensors, which is not "
           "supported");
  }
}

}  // namespace

Value read_type(const onnx::TypeProto& type, const std::string& where) {
  Value value;
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: read_tensor_type(type.tensor_type(), value, where); break;
    case onnx::TypeProto::kSequenceType:
      value.kind = ValueKind::sequence;
      read_element_type(type.sequence_type().elem_type(), value, where);
      break;
    case onnx::TypeProto::kOptionalType:
      value.kind = ValueKind::optional;
      read_element_type(type.optional_type().elem_type(), value, where);
      break;
    case onnx::TypeProto::kMapType: refuse(where, "its type is a map, which is not supported");
    case onnx::TypeProto::kSparseTensorType:
      refuse(where,
             "its type is a sparse tensor, which is not supported as a value; make it dense");
    default: break;  // no type given
  }
  return value;
}

Value read_value_info(const onnx::ValueInfoProto& info, const std::string& where) {
  Value value = read_type(info.type(), fmt::format("{}: value {}", where, in_quotes(info.name())));
  value.name = info.name();
  return value;
}

std::string describe_type(const Value& value) {
  const std::string tensor = fmt::format("tensor({})", name_of(value.dtype));
  if (value.kind == ValueKind::tensor) return tensor;
  if (value.kind == ValueKind::sequence) return fmt::format("seq({})", tensor);
  return value.optional_of_sequence ? fmt::format("optional(seq({}))", tensor)
                                    : fmt::format("optional({})", tensor);
}

}  // namespace switchyard
