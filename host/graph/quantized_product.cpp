// Products of bytes and constant bytes, whose sums are integers.
#include <cmath>

#include "graph/quantized_patterns.hpp"

namespace switchyard {
namespace {

// With so many products a sum, and a bias of 2^30, sums stay below 2^31.
constexpr std::int64_t kMostProducts = 1 << 14;

/// The two operands of a product, and what its outputs are made of.
struct Product {
  ValueId left, right;
  Quantization left_numbers, right_numbers;
  std::int64_t outputs;  // channels or columns
};

std::optional<Product> product_of(const Graph& graph, const DequantizedValues& dequantized,
                                  const Node& core, bool is_convolution) {
  const auto left = dequantized.find(core.inputs[0]);
  const auto right = dequantized.find(core.inputs[1]);
  if (left == dequantized.end() || right == dequantized.end()) return {};
  const Dequantized &from_left = left->second, &from_right = right->second;
  const Value& x = graph.values[from_left.quantized];
  const Value& weights = graph.values[from_right.quantized];
  if (!x.shape || x.shape->size() < 2 || !weights.constant || from_right.block_size != 0 ||
      from_left.block_size != 0) {
    return {};
  }
  const auto rank = static_cast<std::int64_t>(weights.constant->shape().size());
  if (is_convolution ? rank < 3 : rank != 2) return {};
  const std::size_t channels = is_convolution ? 0 : 1;  // the axis that makes the output's
  const std::int64_t count = weights.constant->shape()[channels];
  if (count == 0 || weights.constant->size() / count > kMostProducts) return {};
  auto left_numbers = quantization_of(graph, from_left.scale, from_left.zero_point, x.dtype, 1);
  auto right_numbers = quantization_of(graph, from_right.scale, from_right.zero_point,
                                       weights.constant->dtype(), count);
  if (!left_numbers || !right_numbers) return {};
  const std::int64_t axis = from_right.axis < 0 ? from_right.axis + rank : from_right.axis;
  const bool is_single = right_numbers->scale.size() == 1;
  if (!is_single && axis != static_cast<std::int64_t>(channels)) return {};
  return Product{from_left.quantized, from_right.quantized, std::move(*left_numbers),
                 std::move(*right_numbers), count};
}

/// The bias in the sums' own unit, the product of the operands' scales: integers already, or
/// so near to them that the output cannot tell.
std::optional<Literal> whole_bias(const Value& value, const Product& product,
                                  const Quantization& output) {
  constexpr double kMost = 1 << 30, kLeastSteps = 1.0 / 64;
  const std::optional<Literal>& given = value.constant;
  if (!given || given->dtype() != DType::float32 || given->size() != product.outputs) return {};
  Literal bias(DType::int32, {product.outputs});
  auto* to = reinterpret_cast<std::int32_t*>(bias.mutable_bytes());
  for (std::size_t i = 0; i < static_cast<std::size_t>(product.outputs); ++i) {
    const double unit = static_cast<double>(product.left_numbers.scale_of(0)) *
                        static_cast<double>(product.right_numbers.scale_of(i));
    const double exact = static_cast<double>(given->values<float>()[i]) / unit;
    const double whole = std::nearbyint(exact);
    const double steps = unit / static_cast<double>(output.scale_of(0));
    if (!(std::abs(whole) <= kMost)) return {};
    if (std::abs(whole - exact) * steps > kLeastSteps) return {};
    to[i] = static_cast<std::int32_t>(whole);
  }
  return bias;
}

}  // namespace

std::optional<FusedNode> fuse_product(const Graph& graph, const DequantizedValues& dequantized,
                                      const Node& core, const Quantization& output) {
  const bool is_convolution = is_op(core, "Conv");
  if (!is_convolution && !is_op(core, "MatMul")) return {};
  const std::optional<Product> product = product_of(graph, dequantized, core, is_convolution);
  if (!product) return {};
  FusedNode made{find_op("", is_convolution ? "QLinearConv" : "QLinearMatMul"), {}, {}};
  if (is_convolution) made.attributes = core.attributes;
  made.inputs = {product->left,
                 product->left_numbers.scale,
                 product->left_numbers.zero_point,
                 product->right,
                 product->right_numbers.scale,
                 product->right_numbers.zero_point,
                 output.scale,
                 output.zero_point};
  const bool has_bias = core.inputs.size() > 2 && core.inputs[2] != kAbsent;
  if (has_bias) {
    auto bias = whole_bias(graph.values[core.inputs[2]], *product, output);
    if (!bias) return {};
    made.inputs.emplace_back(std::move(*bias));
  } else if (is_convolution) {
    made.inputs.emplace_back(kAbsent);
  }
  return made;
}

}  // namespace switchyard
