#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ops/literal.hpp"
#include "ops/row.hpp"

namespace switchyard {

using ValueId = std::uint32_t;
inline constexpr ValueId kAbsent = UINT32_MAX;  // an optional input or output left out

enum class ValueKind : std::uint8_t { tensor, sequence, optional };

/// One value of a graph: made once, by an input, a constant, a capture or a node.
struct Value {
  std::string name;
  ValueKind kind = ValueKind::tensor;
  bool optional_of_sequence = false;   // kind optional whose element is a sequence
  DType dtype = DType::undefined;      // of the tensor, or of the elements
  std::optional<Dims> shape;           // as far as it is known before a run; kUnknown extents
  std::vector<std::string> dim_names;  // graph inputs: "" or the name of each symbolic extent
  std::optional<Literal> constant;     // initializers and Constant nodes
};

struct Graph;

/// An op applied to values, in canonical form; every attribute with a default is set.
struct Node {
  const Op* op = nullptr;
  std::string name;  // the model's, or "Op_index"
  Attributes attributes;
  std::vector<ValueId> inputs;  // kAbsent where an optional one is left out
  std::vector<ValueId> outputs;
  std::vector<std::pair<std::string, std::unique_ptr<Graph>>> bodies;  // "then_branch", "body", ...
};

/// A value of the graph around, used inside a body.
struct Capture {
  ValueId outer;
  ValueId inner;
};

/// A list of nodes in an order in which each value is made before it is used, with its values.
struct Graph {
  std::string name;
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<ValueId> inputs;  // without those that are only initializers
  std::vector<ValueId>
      outputs;  // kAbsent in either: left out, in the stead of a node's input or output
  std::vector<Capture> captures;  // bodies only
  std::string refusal;  // branches of an If only: why it cannot be run; it then has no nodes

  ValueId add_value(Value value) {
    values.push_back(std::move(value));
    return static_cast<ValueId>(values.size() - 1);
  }
};

/// The same graph again, bodies included; constants share their bytes.
Graph copy_of(const Graph& graph);

}  // namespace switchyard
