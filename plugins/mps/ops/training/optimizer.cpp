// SgdStep, MomentumStep and AdamStep, by kernels/optimizer.metal: one pass over memory.
#include <array>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As kernels/optimizer.metal reads them; where the scalars lie is set in each run.
struct SgdParameters {
  float weight_decay = 0;
  uint32_t scalars_at[1] = {};
};

struct MomentumParameters {
  float weight_decay = 0;
  float momentum = 0;
  uint32_t nesterov = 0;
  uint32_t scalars_at[2] = {};
};

struct AdamParameters {
  float weight_decay = 0;
  float gain1 = 0;
  float gain2 = 0;
  float epsilon = 0;
  uint32_t decoupled = 0;
  uint32_t scalars_at[3] = {};
};

// How tensors of one shape are walked, after they are added to `arguments`.
Axes add_tensors(Arguments& arguments, std::span<const Tensor> tensors, uint32_t first) {
  std::array<Walked, Axes::max_operands> walked;
  for (uint32_t k = 0; k < tensors.size(); ++k) {
    const Bound bound = bind(tensors[k], first + k);
    arguments.add(bound);
    walked[k] = {tensors[k].strides.data.data(), bound.offset};
  }
  return make_axes(tensors[0].shape, std::span(walked).first(tensors.size()));
}

// Inputs are the parameter, its gradient, its state, and scalars; outputs the parameter and its
// state.
template <typename Parameters>
class StepKernel final : public Kernel {
 public:
  StepKernel(const seam::Pipeline& pipeline, const Parameters& parameters)
      : pipeline_(pipeline), parameters_(parameters) {}

  void encode(const Run& run) const override {
    const auto written = static_cast<uint32_t>(run.outputs.size());
    const uint32_t read = written + 1;
    Parameters parameters = parameters_;
    Arguments arguments;
    const Axes from = add_tensors(arguments, run.inputs.first(read), 0);
    const Axes to = add_tensors(arguments, run.outputs, read);
    for (uint32_t i = 0; i < std::size(parameters.scalars_at); ++i) {
      const Bound scalar = bind(run.inputs[read + i], read + written + i);
      arguments.add(scalar);
      parameters.scalars_at[i] = static_cast<uint32_t>(scalar.offset);
    }
    arguments.add_value(from).add_value(to).add_value(parameters);
    arguments.run(run.stream, pipeline_, to.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const Parameters parameters_;
};

template <typename Parameters>
Prepared make_step(Device& device, const sy::Node& node, const char* name,
                   const Parameters& parameters) {
  const auto& pipeline =
      device.pipeline(std::string(name) + "_step_" + metal_type(node.required_output(0).dtype));
  Prepared made{std::make_unique<StepKernel<Parameters>>(pipeline, parameters), 0, {1}};
  // The state follows the gradient.
  for (uint32_t i = 1; i < node.output_count(); ++i) {
    made.may_alias_inputs[i] = uint64_t{1} << (i + 1);
  }
  return made;
}

Prepared make_sgd(Device& device, const sy::Node& node) {
  return make_step(device, node, "sgd", SgdParameters{node.real("weight_decay", 0), {}});
}

Prepared make_momentum(Device& device, const sy::Node& node) {
  return make_step(device, node, "momentum",
                   MomentumParameters{node.real("weight_decay", 0),
                                      node.real("momentum"),
                                      node.flag("nesterov") ? 1u : 0u,
                                      {}});
}

Prepared make_adam(Device& device, const sy::Node& node) {
  return make_step(device, node, "adam",
                   AdamParameters{node.real("weight_decay", 0),
                                  node.real("gain1", 0.1f),
                                  node.real("gain2", 0.001f),
                                  node.real("epsilon", 1e-8f),
                                  node.flag("decoupled") ? 1u : 0u,
                                  {}});
}

// All that the op makes.
template <uint32_t Outputs>
void check_step(const sy::Node& node) {
  for (uint32_t i = 0; i < Outputs; ++i) {
    if (node.output(i) == nullptr) {
      throw sy::unsupported(SY_REASON_ATTRIBUTE, "output ", i, " is left out");
    }
  }
}

}  // namespace

std::span<const KernelRow> optimizer_rows() {
  const auto row = [](const char* op, Make make, Check check) {
    return KernelRow{{.op = op, .domain = "switchyard", .dtypes = float_types}, make, check};
  };
  static const KernelRow rows[] = {row("SgdStep", make_sgd, check_step<1>),
                                   row("MomentumStep", make_momentum, check_step<2>),
                                   row("AdamStep", make_adam, check_step<3>)};
  return rows;
}

}  // namespace mps
