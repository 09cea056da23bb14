// SoftmaxGradient and LogSoftmaxGradient, along one axis, by kernels/softmax_gradient.metal.
#include <array>
#include <string>
#include <vector>

#include "ops/building/arguments.hpp"
#include "ops/building/lines.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As the kernel reads them.
struct SoftmaxGradientParameters {
  uint32_t logarithm = 0;
};

// The output gradient, what the softmax made, and the gradient.
constexpr size_t tensors = 3;

class SoftmaxGradientKernel final : public Kernel {
 public:
  SoftmaxGradientKernel(const seam::Pipeline& pipeline, int64_t axis,
                        SoftmaxGradientParameters parameters)
      : pipeline_(pipeline), axis_(axis), parameters_(parameters) {}

  void encode(const Run& run) const override {
    const std::array<const Tensor*, tensors> given = {&run.inputs[0], &run.inputs[1],
                                                      &run.outputs[0]};
    Arguments arguments;
    std::array<uint64_t, tensors> offsets;
    for (uint32_t k = 0; k < tensors; ++k) {
      const Bound bound = bind(*given[k], k);
      arguments.add(bound);
      offsets[k] = bound.offset;
    }
    const Axes outer = walk(given, false, offsets), inner = walk(given, true, {});
    arguments.add_value(outer).add_value(inner).add_value(parameters_);
    arguments.run_groups(run.stream, pipeline_, outer.count, group_for(inner.count));
  }

 private:
  // Over the lines, or along one.
  Axes walk(const std::array<const Tensor*, tensors>& given, bool along,
            const std::array<uint64_t, tensors>& offsets) const {
    const sy::Extents shape = given[0]->shape;
    const std::vector<bool> is_along = along_axis(axis_, shape.size());
    std::vector<int64_t> extents, strides[tensors];
    for (size_t i = 0; i < shape.size(); ++i) {
      if (is_along[i] != along) continue;
      extents.push_back(shape[i]);
      for (size_t k = 0; k < tensors; ++k) strides[k].push_back(given[k]->strides[i]);
    }
    std::array<Walked, tensors> walked;
    for (size_t k = 0; k < tensors; ++k) walked[k] = {strides[k].data(), offsets[k]};
    return make_axes(extents, walked);
  }

  const seam::Pipeline& pipeline_;
  const int64_t axis_;
  const SoftmaxGradientParameters parameters_;
};

Prepared make_softmax_gradient(Device& device, const sy::Node& node) {
  const auto& pipeline =
      device.pipeline(std::string("softmax_gradient_") + metal_type(node.required_input(0).dtype));
  const SoftmaxGradientParameters parameters{node.op() == "LogSoftmaxGradient" ? 1u : 0u};
  return {std::make_unique<SoftmaxGradientKernel>(pipeline, node.integer("axis", -1), parameters),
          0,
          {1}};
}

}  // namespace

std::span<const KernelRow> softmax_gradient_rows() {
  const auto row = [](const char* op) {
    return KernelRow{{.op = op, .domain = "switchyard", .dtypes = float_types, .min_rank = 1},
                     make_softmax_gradient};
  };
  static const KernelRow rows[] = {row("SoftmaxGradient"), row("LogSoftmaxGradient")};
  return rows;
}

}  // namespace mps
