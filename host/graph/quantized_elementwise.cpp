// Ops that make each byte of one byte of each operand, and Concat.
#include <algorithm>

#include "graph/quantized_patterns.hpp"

namespace switchyard {
namespace {

struct ByteOp {
  std::string_view real, bytes;
};
constexpr ByteOp kByteOps[] = {{"Add", "QLinearAdd"},
                               {"Concat", "QLinearConcat"},
                               {"LeakyRelu", "QLinearLeakyRelu"},
                               {"Mul", "QLinearMul"},
                               {"Sigmoid", "QLinearSigmoid"}};

void add_numbers(FusedNode& made, const Quantization& numbers) {
  made.inputs.emplace_back(numbers.scale);
  made.inputs.emplace_back(numbers.zero_point);
}

/// False if the operand is not made of bytes of `dtype` with one scale for all.
bool add_operand(const Graph& graph, const DequantizedValues& dequantized, ValueId operand,
                 DType dtype, FusedNode& made) {
  const auto found = dequantized.find(operand);
  if (found == dequantized.end()) return false;
  const Dequantized& from = found->second;
  if (from.block_size != 0 || graph.values[from.quantized].dtype != dtype) return false;
  const auto numbers = quantization_of(graph, from.scale, from.zero_point, dtype, 1);
  if (!numbers) return false;
  made.inputs.emplace_back(from.quantized);
  add_numbers(made, *numbers);
  return true;
}

}  // namespace

std::optional<FusedNode> fuse_elementwise(const Graph& graph, const DequantizedValues& dequantized,
                                          const Node& core, const Quantization& output) {
  const auto op = std::ranges::find_if(
      kByteOps, [&](const ByteOp& candidate) { return is_op(core, candidate.real); });
  if (op == std::end(kByteOps)) return {};
  FusedNode made{find_op("com.microsoft", op->bytes), core.attributes, {}};
  const bool result_comes_first = op->real == "Concat";
  if (result_comes_first) add_numbers(made, output);
  for (const ValueId operand : core.inputs) {
    if (!add_operand(graph, dequantized, operand, output.zero_point.dtype(), made)) return {};
  }
  if (!result_comes_first) add_numbers(made, output);
  return made;
}

}  // namespace switchyard
