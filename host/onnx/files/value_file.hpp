#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "ops/literal.hpp"

namespace switchyard {

/// A value as test data files hold it.
struct StoredValue {
  std::string name;  // as the file gives it; may be empty
  ValueKind kind = ValueKind::tensor;
  bool is_present = true;        // kind optional: whether it has an element
  bool is_sequence = false;      // the value is a sequence, or an optional that holds one
  std::vector<Literal> tensors;  // one for a tensor, any number for a sequence

  /// The one tensor of a value that is not a sequence.
  const Literal& tensor() const { return tensors.front(); }
};

/// Reads a TensorProto from a .pb file; external data lie beside it. Throws Error(model), naming
/// the file.
StoredValue read_tensor_pb(const std::filesystem::path& path);

/// Reads a TensorProto, SequenceProto or OptionalProto from a .pb file. The file does not tell
/// which of these it holds: `declared`, the model's input or output that it belongs to, does.
/// uint16 is taken for the bits of bfloat16 where that is declared, as ONNX's own tests store it
/// so. Throws Error(model), naming the file.
StoredValue read_value_pb(const std::filesystem::path& path, const Value& declared);

/// Writes a TensorProto with its contents in raw_data. Throws Error(invalid_argument), naming the
/// file.
void write_tensor_pb(const std::filesystem::path& path, const Literal& literal,
                     const std::string& name = {});

}  // namespace switchyard
