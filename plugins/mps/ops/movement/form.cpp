// Concat, by kernels/copy.metal.
#include "ops/building/elementwise.hpp"
#include "ops/building/graph_builder.hpp"
#include "ops/building/host_values.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// Copies each input to its part of the output.
class ConcatKernel final : public Kernel {
 public:
  ConcatKernel(Device& device, int64_t axis) : device_(device), axis_(axis) {}

  void encode(const Run& run) const override {
    Tensor part = run.outputs[0];
    const auto bytes = static_cast<int64_t>(sy::dtype_bytes(part.dtype));
    const size_t axis = normalize_axis(axis_, part.shape.size());
    for (const Tensor& input : run.inputs) {
      if (input.size() == 0) continue;
      part.shape = input.shape;
      encode_copy(device_, run.stream, input, part);
      part.offset_bytes += static_cast<uint64_t>(input.shape[axis] * part.strides[axis] * bytes);
    }
  }

 private:
  Device& device_;
  const int64_t axis_;
};

Prepared make_concat(Device& device, const sy::Node& node) {
  return {std::make_unique<ConcatKernel>(device, node.integer("axis", 0))};
}

uint32_t lower_concat(GraphBuilder& graph, const sy::Node& node) {
  std::vector<uint32_t> parts;
  for (uint32_t i = 0; i < node.input_count(); ++i) parts.push_back(graph.input(node, i));
  const seam::TensorType type = type_of(node.required_output(0));
  const size_t axis = normalize_axis(node.integer("axis", 0), type.shape.size());
  return graph.add(seam::Operation::concatenate, type.shape, std::move(parts),
                   seam::Axes{{static_cast<int64_t>(axis)}});
}

}  // namespace

std::span<const KernelRow> form_rows() {
  static const KernelRow rows[] = {{.claim = {.op = "Concat", .dtypes = moved_types, .min_rank = 1},
                                    .make = make_concat,
                                    .lower = lower_concat}};
  return rows;
}

}  // namespace mps
