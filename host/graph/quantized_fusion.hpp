#pragma once

#include <unordered_map>

#include "graph/graph.hpp"
#include "routing/router.hpp"

namespace switchyard {

/// What a DequantizeLinear makes real numbers of.
struct Dequantized {
  ValueId quantized, scale, zero_point;  // the last may be kAbsent
  std::int64_t axis, block_size;
};
using DequantizedValues = std::unordered_map<ValueId, Dequantized>;

/// The outputs of a graph's DequantizeLinear nodes, to be found before any of them is folded.
DequantizedValues find_dequantized(const Graph& graph);

/// Fuses what quantizers write, DequantizeLinear -> op (-> Relu) -> QuantizeLinear, into one op on
/// bytes. Conv and MatMul by constant bytes become QLinearConv and QLinearMatMul: sums of integers,
/// rounded once, in the stead of sums of floats, which are rounded on the way; a result may differ
/// where it is within those errors of the middle between two quantized values. Add, Mul, Sigmoid,
/// LeakyRelu and Concat become com.microsoft's ops of equal meaning; ops that move elements move
/// bytes, where their scale stays the same. Only where scales and zero points are constant, nothing
/// else uses what comes between, and the device that would be given the one node would be given the
/// other too. Types and shapes must have been told, as `specialise` does. Returns the number of
/// fused nodes.
std::size_t fuse_quantized(Graph& graph, const DequantizedValues& dequantized,
                           const Router& router);

}  // namespace switchyard
