#include "onnx/files/value_file.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "files/file_replacement.hpp"
#include "io/file_error.hpp"
#include "onnx/files/external_data.hpp"
#include "onnx/files/message_file.hpp"
#include "onnx/proto/encode.hpp"
#include "onnx/proto/messages.hpp"
#include "onnx/tensors/tensor_reader.hpp"
#include "onnx/tensors/tensor_writer.hpp"

namespace switchyard {

namespace {

namespace fs = std::filesystem;
using onnx::ElementKind;

ExternalData beside(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return ExternalData(folder.empty() ? "." : folder);
}

void add_tensors(const onnx::SequenceProto& sequence, ExternalData& external,
                 const std::string& where, StoredValue& value) {
  const auto kind = sequence.elem_type;
  if (kind != ElementKind::tensor && kind != ElementKind::undefined) {
    refuse(where, "it is a sequence of something else than tensors, which is not supported");
  }
  value.is_sequence = true;
  for (const onnx::TensorProto& tensor : sequence.tensor_values) {
    value.tensors.push_back(read_tensor(tensor, external, where));
  }
}

StoredValue read_sequence(const fs::path& path) {
  const auto sequence = decode_file<onnx::SequenceProto>(path, "ONNX sequence");
  StoredValue value;
  value.name = sequence.name;
  value.kind = ValueKind::sequence;
  ExternalData external = beside(path);
  add_tensors(sequence, external, path.string(), value);
  return value;
}

StoredValue read_optional(const fs::path& path) {
  const auto optional = decode_file<onnx::OptionalProto>(path, "ONNX optional");
  StoredValue value;
  value.name = optional.name;
  value.kind = ValueKind::optional;
  ExternalData external = beside(path);
  switch (optional.elem_type) {
    case ElementKind::undefined: value.is_present = false; break;
    case ElementKind::tensor:
      value.is_present = optional.tensor_value.has_value();
      if (value.is_present) {
        value.tensors.push_back(read_tensor(*optional.tensor_value, external, path.string()));
      }
      break;
    case ElementKind::sequence:
      value.is_present = optional.sequence_value.has_value();
      value.is_sequence = true;
      if (value.is_present) {
        add_tensors(*optional.sequence_value, external, path.string(), value);
      }
      break;
    default:
      refuse(path.string(),
             "it is an optional of something else than tensors, which is not "
             "supported");
  }
  return value;
}

// numpy has no bfloat16, so that ONNX's own tests store its bits as uint16.
void restore_bfloat16(const Value& declared, StoredValue& value) {
  if (declared.dtype != DType::bfloat16) return;
  for (Literal& tensor : value.tensors) {
    if (tensor.dtype() != DType::uint16) continue;
    tensor = Literal(DType::bfloat16, tensor.shape(), tensor.owner(), tensor.bytes());
  }
}

StoredValue read_kind(const fs::path& path, ValueKind kind) {
  switch (kind) {
    case ValueKind::sequence: return read_sequence(path);
    case ValueKind::optional: return read_optional(path);
    default: return read_tensor_pb(path);
  }
}

}  // namespace

StoredValue read_tensor_pb(const fs::path& path) {
  const auto tensor = decode_file<onnx::TensorProto>(path, "ONNX tensor");
  ExternalData external = beside(path);
  StoredValue value;
  value.name = tensor.name;
  value.tensors.push_back(read_tensor(tensor, external, path.string()));
  return value;
}

StoredValue read_value_pb(const fs::path& path, const Value& declared) {
  StoredValue value = read_kind(path, declared.kind);
  restore_bfloat16(declared, value);
  return value;
}

void write_tensor_pb(const fs::path& path, const Literal& literal, const std::string& name) {
  onnx::TensorProto tensor;
  tensor.name = name;
  fill_tensor(tensor, literal);
  FileReplacement file(path);
  file.write(onnx::encode(tensor));
  file.commit();
}

}  // namespace switchyard
