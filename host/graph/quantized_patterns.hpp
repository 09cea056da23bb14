#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "graph/quantisation.hpp"
#include "graph/quantized.hpp"

namespace switchyard {

/// What a node between DequantizeLinear and QuantizeLinear becomes. Constants are not yet values.
struct JoinedNode {
  const Op* op;
  Attributes attributes;
  std::vector<std::variant<ValueId, Literal>> inputs;
};

/// One way of joining: of a node whose only result is quantised by `output`; nothing if it does not
/// fit.
using JoinRule = std::optional<JoinedNode> (*)(const Graph& graph,
                                               const DequantizedValues& dequantized,
                                               const Node& core, const Quantisation& output);

/// Conv and MatMul of bytes and constant ones: QLinearConv, QLinearMatMul.
std::optional<JoinedNode> join_product(const Graph& graph, const DequantizedValues& dequantized,
                                       const Node& core, const Quantisation& output);

/// Add, Mul, Sigmoid, LeakyRelu and Concat of bytes: com.microsoft's QLinearAdd and the like.
std::optional<JoinedNode> join_elementwise(const Graph& graph, const DequantizedValues& dequantized,
                                           const Node& core, const Quantisation& output);

/// Slice, Transpose, MaxPool and the like between bytes of one scale: the same op, of the bytes.
std::optional<JoinedNode> join_movement(const Graph& graph, const DequantizedValues& dequantized,
                                        const Node& core, const Quantisation& output);

}  // namespace switchyard
