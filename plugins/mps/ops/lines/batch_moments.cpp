// BatchNormalization in training, by kernels/batch_moments.metal; normalization.cpp has the other.
#include <array>
#include <string>
#include <vector>

#include "ops/building/arguments.hpp"
#include "ops/building/lines.hpp"
#include "ops/dtypes.hpp"
#include "ops/lines/batch_moments.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As kernels/batch_moments.metal reads them.
struct BatchParameters {
  float epsilon = 0;
  float momentum = 0;
  uint32_t has_mean = 0;
  uint32_t has_variance = 0;
  std::array<uint32_t, 6> at{};
  std::array<int32_t, 6> steps{};
};

class BatchKernel final : public Kernel {
 public:
  BatchKernel(const seam::Pipeline& pipeline, float epsilon, float momentum)
      : pipeline_(pipeline), epsilon_(epsilon), momentum_(momentum) {}

  void encode(const Run& run) const override {
    const Tensor& x = run.inputs[0];
    std::vector<bool> along(x.shape.size(), true);
    along[1] = false;
    const Lines lines = lines_of(x, run.outputs[0], along);
    BatchParameters parameters{epsilon_, momentum_, has_output(run, 1), has_output(run, 2), {}, {}};
    // What is left out is bound as what it would renew, and not written.
    const Tensor* of_channels[] = {&run.inputs[1],
                                   &run.inputs[2],
                                   &run.inputs[3],
                                   &run.inputs[4],
                                   parameters.has_mean != 0 ? &run.outputs[1] : &run.inputs[3],
                                   parameters.has_variance != 0 ? &run.outputs[2] : &run.inputs[4]};
    Arguments arguments;
    arguments.add(lines.input).add(lines.output);
    for (uint32_t i = 0; i < parameters.at.size(); ++i) {
      const Bound bound = bind(*of_channels[i], 2 + i);
      arguments.add(bound);
      parameters.at[i] = static_cast<uint32_t>(bound.offset);
      parameters.steps[i] = int32_step(of_channels[i]->strides[0]);
    }
    arguments.add_value(lines.outer).add_value(lines.inner).add_value(parameters);
    arguments.run_groups(run.stream, pipeline_, lines.outer.count, group_for(lines.inner.count));
  }

 private:
  static uint32_t has_output(const Run& run, size_t i) {
    return i < run.outputs.size() && run.outputs[i].dtype != 0 ? 1 : 0;
  }

  const seam::Pipeline& pipeline_;
  const float epsilon_;
  const float momentum_;
};

Prepared make_batch_moments(Device& device, const sy::Node& node) {
  const auto& pipeline =
      device.pipeline(std::string("normalize_batch_") + metal_type(node.required_input(0).dtype));
  return {std::make_unique<BatchKernel>(pipeline, node.real("epsilon", 1e-5f),
                                        node.real("momentum", 0.9f))};
}

void check_batch_moments(const sy::Node& node) {
  const sy_value& x = node.required_input(0);
  node.required_output(0);
  if (!node.flag("training_mode")) {
    throw sy::unsupported(
        SY_REASON_ATTRIBUTE,
        "outside of training: float32 or float16 alone, statistics included, by a graph");
  }
  for (uint32_t i = 1; i < 5; ++i) {
    if (node.required_input(i).dtype == x.dtype) continue;
    throw sy::unsupported(SY_REASON_DTYPE, "input ", i, " is ",
                          sy::dtype_name(node.required_input(i).dtype), ", and x ",
                          sy::dtype_name(x.dtype));
  }
  if (sy::has_rank(x) && x.rank < 2) throw sy::unsupported(SY_REASON_RANK, "x has no channels");
  if (sy::has_known_shape(x) && sy::element_count(sy::shape_of(x)) == 0) {
    throw sy::unsupported(SY_REASON_LIMIT, "no elements to have a mean");
  }
}

}  // namespace

KernelRow batch_moments_row() {
  return {{.op = "BatchNormalization", .min_version = 14, .dtypes = float_types},
          make_batch_moments,
          check_batch_moments};
}

}  // namespace mps
