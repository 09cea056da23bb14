#include "onnx/tensors/type_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/file_error.hpp"
#include "io/file_shape.hpp"
#include "onnx/proto/messages.hpp"
#include "onnx/tensors/tensor_reader.hpp"

namespace switchyard {

namespace {

void read_shape(const onnx::TensorShapeProto& shape, Value& value, const std::string& where) {
  Dims extents;
  for (const onnx::TensorShapeProto::Dimension& dim : shape.dim) {
    // Some exporters write -1 for an extent that they do not know.
    const bool known = dim.dim_value && *dim.dim_value >= 0;
    extents.push_back(known ? *dim.dim_value : kUnknown);
    value.dim_names.push_back(dim.dim_param.value_or(""));
  }
  Dims known = extents;
  std::replace(known.begin(), known.end(), kUnknown, std::int64_t{1});
  checked_shape(known.span(), where);
  value.shape = extents;
}

void read_tensor_type(const onnx::TypeProto::Tensor& type, Value& value, const std::string& where) {
  if (type.elem_type != 0) value.dtype = dtype_from_onnx(type.elem_type, where);
  if (type.shape) read_shape(*type.shape, value, where);
}

bool is_empty(const onnx::TypeProto& type) {
  return !(type.tensor_type || type.sequence_type || type.map_type || type.opaque_type ||
           type.sparse_tensor_type || type.optional_type);
}

// What a sequence or an optional holds, as far as that is given. A sequence's elements may differ
// in shape, so theirs is not kept.
void read_element_type(const onnx::Boxed<onnx::TypeProto>& type, Value& value,
                       const std::string& where) {
  if (!type || is_empty(*type)) return;
  if (type->sequence_type && value.kind == ValueKind::optional) {
    value.optional_of_sequence = true;
    Value elements;
    elements.kind = ValueKind::sequence;
    read_element_type(type->sequence_type->elem_type, elements, where);
    value.dtype = elements.dtype;
  } else if (type->tensor_type) {
    read_tensor_type(*type->tensor_type, value, where);
    if (value.kind == ValueKind::sequence) {
      value.shape.reset();
      value.dim_names.clear();
    }
  } else {
    refuse(where,
           "its type is a sequence or optional of something else than tensors, which is not "
           "supported");
  }
}

}  // namespace

Value read_type(const onnx::TypeProto& type, const std::string& where) {
  Value value;
  if (type.tensor_type) {
    read_tensor_type(*type.tensor_type, value, where);
  } else if (type.sequence_type) {
    value.kind = ValueKind::sequence;
    read_element_type(type.sequence_type->elem_type, value, where);
  } else if (type.optional_type) {
    value.kind = ValueKind::optional;
    read_element_type(type.optional_type->elem_type, value, where);
  } else if (type.map_type) {
    refuse(where, "its type is a map, which is not supported");
  } else if (type.sparse_tensor_type) {
    refuse(where, "its type is a sparse tensor, which is not supported as a value; make it dense");
  }
  return value;
}

Value read_value_info(const onnx::ValueInfoProto& info, const std::string& where) {
  Value value;
  if (info.type) {
    value = read_type(*info.type, fmt::format("{}: value {}", where, in_quotes(info.name)));
  }
  value.name = info.name;
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
