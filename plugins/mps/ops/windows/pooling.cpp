// MaxPool and AveragePool where graphs have none, by kernels/pooling.metal: with the positions of
// the largest elements, over three axes, in bfloat16, or with padding that counts where windows
// stop short of it.
#include <array>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "ops/windows/pool_window.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

class MaxPoolKernel final : public Kernel {
 public:
  MaxPoolKernel(const seam::Pipeline& pipeline, const sy::Node& node)
      : pipeline_(pipeline), attributes_(node) {}

  void encode(const Run& run) const override {
    const Tensor &x = run.inputs[0], &y = run.outputs[0];
    const uint32_t wants_indices = run.outputs.size() > 1 && run.outputs[1].dtype != 0 ? 1 : 0;
    // Something has to be bound.
    const Tensor& indices = run.outputs[wants_indices];
    const Bound bound[3] = {bind(x, 0), bind(y, 1), bind(indices, 2)};
    const std::array<Walked, 2> walked = {Walked{y.strides.data.data(), bound[1].offset},
                                          Walked{indices.strides.data.data(), bound[2].offset}};
    const Axes axes = make_axes(y.shape, walked);
    const PoolWindow window = attributes_.window(x, y, x, bound[0]);
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add(bound[2]).add_value(axes).add_value(window);
    arguments.add_value(wants_indices).run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const PoolAttributes attributes_;
};

class AveragePoolKernel final : public Kernel {
 public:
  AveragePoolKernel(const seam::Pipeline& pipeline, const sy::Node& node)
      : pipeline_(pipeline), attributes_(node) {}

  void encode(const Run& run) const override {
    const Tensor &x = run.inputs[0], &y = run.outputs[0];
    const Bound bound[2] = {bind(x, 0), bind(y, 1)};
    const std::array<Walked, 1> walked = {Walked{y.strides.data.data(), bound[1].offset}};
    const Axes axes = make_axes(y.shape, walked);
    const PoolWindow window = attributes_.window(x, y, x, bound[0]);
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add_value(axes).add_value(window);
    arguments.run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const PoolAttributes attributes_;
};

template <typename PoolKernel>
Prepared make_pool(Device& device, const sy::Node& node) {
  const std::string name = node.op() == "MaxPool" ? "max_pool_" : "average_pool_";
  const auto& pipeline = device.pipeline(name + metal_type(node.required_input(0).dtype));
  return {std::make_unique<PoolKernel>(pipeline, node)};
}

void check_pool(const sy::Node& node) {
  node.required_output(0);
  PoolAttributes{node};
  if (node.flag("storage_order")) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "storage_order 1: indices count row-major here");
  }
}

}  // namespace

std::span<const KernelRow> pooling_rows() {
  static const KernelRow rows[] = {
      {{.op = "MaxPool",
        .dtypes = float_types,
        .output_dtypes = float_types | SY_DTYPE_BIT(SY_INT64),
        .min_rank = 3,
        .max_rank = 5},
       make_pool<MaxPoolKernel>,
       check_pool},
      {{.op = "AveragePool", .dtypes = float_types, .min_rank = 3, .max_rank = 5},
       make_pool<AveragePoolKernel>,
       check_pool}};
  return rows;
}

}  // namespace mps
