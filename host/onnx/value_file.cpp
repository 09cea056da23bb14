#include "onnx/value_file.hpp"

#include <fmt/format.h>
#include <onnx/onnx-data_pb.h>
#include <onnx/onnx_pb.h>

#include <fstream>

#include <switchyard/error.hpp>

#include "io/file_error.hpp"
#include "onnx/external_data.hpp"
#include "onnx/message_file.hpp"
#include "onnx/tensor_reader.hpp"
#include "onnx/tensor_writer.hpp"

namespace switchyard {

namespace {

namespace fs = std::filesystem;

ExternalData beside(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return ExternalData(folder.empty() ? "." : folder);
}

void take_sequence(onnx::SequenceProto& sequence, ExternalData& external, const std::string& where,
                   StoredValue& value) {
  const auto kind = sequence.elem_type();
  if (kind != onnx::SequenceProto::TENSOR && kind != onnx::SequenceProto::UNDEFINED) {
    refuse(where, "it is a sequence of something else than tensors, which is not supported");
  }
  value.is_sequence = true;
  for (onnx::TensorProto& tensor : *sequence.mutable_tensor_values()) {
    value.tensors.push_back(take_tensor(tensor, external, where));
  }
}

StoredValue read_sequence(const fs::path& path) {
  onnx::SequenceProto sequence;
  parse_file(path, sequence, "ONNX sequence");
  StoredValue value;
  value.name = sequence.name();
  value.kind = ValueKind::sequence;
  ExternalData external = beside(path);
  take_sequence(sequence, external, path.string(), value);
  return value;
}

StoredValue read_optional(const fs::path& path) {
  onnx::OptionalProto optional;
  parse_file(path, optional, "ONNX optional");
  StoredValue value;
  value.name = optional.name();
  value.kind = ValueKind::optional;
  ExternalData external = beside(path);
  switch (optional.elem_type()) {
    case onnx::OptionalProto::UNDEFINED: value.is_present = false; break;
    case onnx::OptionalProto::TENSOR:
      value.is_present = optional.has_tensor_value();
      if (value.is_present) {
        value.tensors.push_back(
            take_tensor(*optional.mutable_tensor_value(), external, path.string()));
      }
      break;
    case onnx::OptionalProto::SEQUENCE:
      value.is_present = optional.has_sequence_value();
      take_sequence(*optional.mutable_sequence_value(), external, path.string(), value);
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
  onnx::TensorProto tensor;
  parse_file(path, tensor, "ONNX tensor");
  ExternalData external = beside(path);
  StoredValue value;
  value.name = tensor.name();
  value.tensors.push_back(take_tensor(tensor, external, path.string()));
  return value;
}

StoredValue read_value_pb(const fs::path& path, const Value& declared) {
  StoredValue value = read_kind(path, declared.kind);
  restore_bfloat16(declared, value);
  return value;
}

void write_tensor_pb(const fs::path& path, const Literal& literal, const std::string& name) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  fill_tensor(tensor, literal);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!tensor.SerializeToOstream(&file) || !file.flush()) {
    throw Error(ErrorKind::usage, fmt::format("{}: cannot write it", path.string()));
  }
}

}  // namespace switchyard
