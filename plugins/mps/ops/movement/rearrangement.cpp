// Tile, DepthToSpace, SpaceToDepth: copies between two views of more axes, by kernels/copy.metal.
#include <string_view>

#include "ops/building/elementwise.hpp"
#include "ops/building/graph_builder.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

using Numbers = std::vector<int64_t>;

// Copies `input` to `output`, both seen in `shape` with strides of their own.
void encode_views(Device& device, Stream& stream, const Tensor& input, const Tensor& output,
                  const Numbers& shape, const Numbers& from_strides, const Numbers& to_strides) {
  Tensor from = input;
  Tensor to = output;
  from.shape = to.shape = shape;
  from.strides = sy::Dimensions(from_strides);
  to.strides = sy::Dimensions(to_strides);
  encode_copy(device, stream, from, to);
}

class TileKernel final : public Kernel {
 public:
  explicit TileKernel(Device& device) : device_(device) {}

  // Each axis that is repeated becomes two: how often, and the input's own.
  void encode(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const Tensor& output = run.outputs[0];
    Numbers shape, from, to;
    for (size_t i = 0; i < input.shape.size(); ++i) {
      if (input.shape[i] != output.shape[i]) {
        shape.push_back(output.shape[i] / input.shape[i]);
        from.push_back(0);
        to.push_back(input.shape[i] * output.strides[i]);
      }
      shape.push_back(input.shape[i]);
      from.push_back(input.strides[i]);
      to.push_back(output.strides[i]);
    }
    encode_views(device_, run.stream, input, output, shape, from, to);
  }

 private:
  Device& device_;
};

// Between [n, blocks of c channels, h, w] and [n, c, h blocks, w blocks].
class BlockKernel final : public Kernel {
 public:
  enum class Channels { block_first, block_last };

  BlockKernel(Device& device, int64_t block, bool to_space, Channels channels)
      : device_(device), block_(block), to_space_(to_space), channels_(channels) {}

  void encode(const Run& run) const override {
    const Tensor& deep = to_space_ ? run.inputs[0] : run.outputs[0];
    const Tensor& wide = to_space_ ? run.outputs[0] : run.inputs[0];
    const int64_t c = wide.shape[1];
    const int64_t b = block_;
    const Numbers shape = {deep.shape[0], c, deep.shape[2], b, deep.shape[3], b};
    const sy::Dimensions& w = wide.strides;
    const Numbers wide_strides = {w[0], w[1], b * w[2], w[2], b * w[3], w[3]};
    const sy::Dimensions& d = deep.strides;
    const Numbers deep_strides = channels_ == Channels::block_first
                                     ? Numbers{d[0], d[1], d[2], b * c * d[1], d[3], c * d[1]}
                                     : Numbers{d[0], b * b * d[1], d[2], b * d[1], d[3], d[1]};
    encode_views(device_, run.stream, run.inputs[0], run.outputs[0], shape,
                 to_space_ ? deep_strides : wide_strides, to_space_ ? wide_strides : deep_strides);
  }

 private:
  Device& device_;
  const int64_t block_;
  const bool to_space_;
  const Channels channels_;
};

Prepared make_tile(Device& device, const sy::Node&) {
  return {std::make_unique<TileKernel>(device)};
}

Prepared make_depth_to_space(Device& device, const sy::Node& node) {
  const auto channels = node.text("mode", "DCR") == "DCR" ? BlockKernel::Channels::block_first
                                                          : BlockKernel::Channels::block_last;
  return {std::make_unique<BlockKernel>(device, node.integer("blocksize"), true, channels)};
}

Prepared make_space_to_depth(Device& device, const sy::Node& node) {
  return {std::make_unique<BlockKernel>(device, node.integer("blocksize"), false,
                                        BlockKernel::Channels::block_first)};
}

void check_depth_to_space(const sy::Node& node) {
  const std::string_view mode = node.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "mode is '", mode, "'; it must be DCR or CRD");
  }
}

uint32_t lower_tile(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = graph.input(node, 0);
  const Numbers result = type_of(node.required_output(0)).shape;
  const Numbers shape = graph.shape(x);
  Numbers apart, wide;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != result[i]) {
      apart.push_back(1);
      wide.push_back(result[i] / shape[i]);
    }
    apart.push_back(shape[i]);
    wide.push_back(shape[i]);
  }
  if (wide.size() > 16) throw sy::unsupported(SY_REASON_RANK, "a graph has 16 axes at most");
  return graph.reshape(graph.broadcast(graph.reshape(x, apart), wide), result);
}

uint32_t lower_depth_to_space(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = graph.input(node, 0);
  const Numbers result = type_of(node.required_output(0)).shape;
  const Numbers deep = graph.shape(x);
  const int64_t b = node.integer("blocksize");
  const bool block_first = node.text("mode", "DCR") == "DCR";
  const uint32_t apart =
      graph.reshape(x, block_first ? Numbers{deep[0], b, b, result[1], deep[2], deep[3]}
                                   : Numbers{deep[0], result[1], b, b, deep[2], deep[3]});
  const uint32_t turned =
      graph.transpose(apart, block_first ? Numbers{0, 3, 4, 1, 5, 2} : Numbers{0, 1, 4, 2, 5, 3});
  return graph.reshape(turned, result);
}

uint32_t lower_space_to_depth(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = graph.input(node, 0);
  const Numbers result = type_of(node.required_output(0)).shape;
  const Numbers wide = graph.shape(x);
  const int64_t b = node.integer("blocksize");
  const uint32_t apart = graph.reshape(x, {wide[0], wide[1], result[2], b, result[3], b});
  return graph.reshape(graph.transpose(apart, {0, 3, 5, 1, 2, 4}), result);
}

}  // namespace

std::span<const KernelRow> rearrangement_rows() {
  static const KernelRow rows[] = {
      {.claim = {.op = "Tile", .dtypes = moved_types}, .make = make_tile, .lower = lower_tile},
      {{.op = "DepthToSpace", .dtypes = moved_types, .min_rank = 4, .max_rank = 4},
       make_depth_to_space,
       check_depth_to_space,
       lower_depth_to_space},
      {.claim = {.op = "SpaceToDepth", .dtypes = moved_types, .min_rank = 4, .max_rank = 4},
       .make = make_space_to_depth,
       .lower = lower_space_to_depth}};
  return rows;
}

}  // namespace mps
