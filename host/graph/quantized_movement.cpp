// Ops that move real numbers between DequantizeLinear and QuantizeLinear of one scale move bytes.
#include <algorithm>
#include <bit>
#include <cmath>

#include "graph/quantized_patterns.hpp"

namespace switchyard {
namespace {

// Each result is one of input 0's elements, or the largest of several.
constexpr std::string_view kMovements[] = {
    "DepthToSpace", "Expand",  "Flatten", "MaxPool",      "Reshape",   "Resize",
    "Slice",        "Squeeze", "Tile",    "SpaceToDepth", "Transpose", "Unsqueeze"};

bool moves_elements(const Node& node) {
  const bool is_listed = std::ranges::any_of(
      kMovements, [&](std::string_view movement) { return is_op(node, movement); });
  if (!is_listed || node.outputs.size() != 1) return false;
  if (!is_op(node, "Resize")) return true;
  return node.attributes.get_text("mode", "nearest") == "nearest" &&
         node.attributes.get_text("coordinate_transformation_mode", "half_pixel") !=
             "tf_crop_and_resize";  // which has numbers of its own outside of the image
}

/// True if each byte comes back through the real number that it stands for. That holds for every
/// scale that 255 times is finite: the product and the quotient are each within 2^-24.
bool comes_back(const Quantization& from, const Quantization& to) {
  const float scale = from.scale_of(0);
  return std::bit_cast<std::uint32_t>(scale) == std::bit_cast<std::uint32_t>(to.scale_of(0)) &&
         *from.zero_point.bytes() == *to.zero_point.bytes() && std::isfinite(255 * scale);
}

}  // namespace

std::optional<FusedNode> fuse_movement(const Graph& graph, const DequantizedValues& dequantized,
                                       const Node& core, const Quantization& output) {
  if (!moves_elements(core)) return {};
  const auto found = dequantized.find(core.inputs[0]);
  if (found == dequantized.end() || found->second.block_size != 0) return {};
  const Dequantized& from = found->second;
  const DType dtype = output.zero_point.dtype();
  if (graph.values[from.quantized].dtype != dtype) return {};
  const auto numbers = quantization_of(graph, from.scale, from.zero_point, dtype, 1);
  if (!numbers || !comes_back(*numbers, output)) return {};
  FusedNode made{core.op, core.attributes, {core.inputs.begin(), core.inputs.end()}};
  made.inputs[0] = from.quantized;
  return made;
}

}  // namespace switchyard
