#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "graph/quantization.hpp"
#include "graph/quantized_fusion.hpp"

namespace switchyard {

/// What a node between DequantizeLinear and QuantizeLinear becomes. Constants are not yet values.
struct FusedNode {
  const Op* op;
  Attributes attributes;
  std::vector<std::variant<ValueId, Literal>> inputs;
};

/// One way of fusing: of a node whose only result is quantized by `output`; nothing if it does not
/// fit.
using FusionRule = std::optional<FusedNode> (*)(const Graph& graph,
                                                const DequantizedValues& dequantized,
                                                const Node& core, const Quantization& output);

/// Conv and MatMul of bytes and constant ones: QLinearConv, QLinearMatMul.
std::optional<FusedNode> fuse_product(const Graph& graph, const DequantizedValues& dequantized,
                                      const Node& core, const Quantization& output);

/// Add, Mul, Sigmoid, LeakyRelu and Concat of bytes: com.microsoft's QLinearAdd and the like.
std::optional<FusedNode> fuse_elementwise(const Graph& graph, const DequantizedValues& dequantized,
                                          const Node& core, const Quantization& output);

/// Slice, Transpose, MaxPool and the like between bytes of one scale: the same op, of the bytes.
std::optional<FusedNode> fuse_movement(const Graph& graph, const DequantizedValues& dequantized,
                                       const Node& core, const Quantization& output);

}  // namespace switchyard
