// TopK, by kernels/sort.metal.
#include <array>
#include <bit>
#include <string>

#include "ops/building/elementwise.hpp"
#include "ops/building/host_values.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "ops/movement/order.hpp"

namespace mps {
namespace {

Ordering ordering_of(const Run& run, int64_t named_axis, bool largest) {
  const Tensor& input = run.inputs[0];
  const bool has_values = run.outputs[0].dtype != 0;
  const bool has_positions = run.outputs.size() > 1 && run.outputs[1].dtype != 0;
  const Tensor& values = has_values ? run.outputs[0] : run.outputs[1];
  const Tensor& positions = has_positions ? run.outputs[1] : run.outputs[0];
  const size_t axis = normalize_axis(named_axis, input.shape.size());
  Ordering made{bind(input, 0), bind(values, 1), bind(positions, 2), {}, {}};
  sy::Dimensions shape(input.shape);
  shape[axis] = 1;
  const std::array<Walked, 3> walked = {
      Walked{input.strides.data.data(), made.input.offset},
      Walked{values.strides.data.data(), made.values.offset},
      Walked{positions.strides.data.data(), made.positions.offset}};
  made.outer = make_axes(shape, walked);
  const auto count = static_cast<uint32_t>(input.shape[axis]);
  const auto wanted = static_cast<uint32_t>(values.shape[axis]);
  if (wanted > count) throw sy::invalid("the first ", wanted, " of ", count, " elements");
  made.parameters = {count,
                     std::bit_ceil(count),
                     wanted,
                     largest ? 0u : 1u,
                     int32_step(input.strides[axis]),
                     int32_step(values.strides[axis]),
                     int32_step(positions.strides[axis]),
                     has_values ? 1u : 0u,
                     has_positions ? 1u : 0u};
  return made;
}

class TopKernel final : public Kernel {
 public:
  TopKernel(Device& device, const std::string& type, int64_t axis, bool largest)
      : order_(device, type), axis_(axis), largest_(largest) {}

  void encode(const Run& run) const override {
    order_.encode(run.stream, ordering_of(run, axis_, largest_));
  }

 private:
  const OrderKernels order_;
  const int64_t axis_;
  const bool largest_;
};

Prepared make_top(Device& device, const sy::Node& node) {
  return {std::make_unique<TopKernel>(device, metal_type(node.required_input(0).dtype),
                                      node.integer("axis", -1), node.flag("largest", true))};
}

}  // namespace

std::span<const KernelRow> top_k_rows() {
  static const KernelRow rows[] = {
      {{.op = "TopK", .dtypes = number_types, .min_rank = 1}, make_top}};
  return rows;
}

}  // namespace mps
