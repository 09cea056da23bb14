// SgdStep, MomentumStep and AdamStep: one pass over memory. The type of the scalars is the type
// that is computed in.
#include <array>
#include <optional>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/optimizer/steps.hpp"
#include "loops/contiguous.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

constexpr int64_t optimizer_grain = 16384;

double number_of(const ConstTensor& scalar) {
  return scalar.dtype == SY_FLOAT64 ? *scalar.as<double>() : *scalar.as<float>();
}

// `Tensors` of them come in, all but the gradient go out.
template <size_t Tensors, typename T, typename Numbers>
void run_step(Step<T, Numbers> step, const Numbers& numbers, Call& call) {
  std::array<std::optional<ContiguousInput<T>>, Tensors> inputs;
  std::array<std::optional<ContiguousOutput<T>>, Tensors - 1> outputs;
  for (uint32_t i = 0; i < Tensors; ++i) inputs[i].emplace(call.input(i));
  for (uint32_t i = 0; i + 1 < Tensors; ++i) outputs[i].emplace(call.output(i));
  parallel_for(call.output(0).size(), optimizer_grain, [&](int64_t begin, int64_t end) {
    std::array<const T*, Tensors> from;
    std::array<T*, Tensors - 1> to;
    for (size_t i = 0; i < Tensors; ++i) from[i] = inputs[i]->data() + begin;
    for (size_t i = 0; i + 1 < Tensors; ++i) to[i] = outputs[i]->data() + begin;
    step(numbers, from.data(), to.data(), end - begin);
  });
  for (const auto& output : outputs) output->write_back();
}

// Reads the rate and the other scalars of a call into numbers that have the attributes already.
template <typename Numbers>
using ReadScalars = void (*)(Call& call, Numbers& numbers);

template <size_t Tensors, typename Numbers>
Prepared step_kernel(Step<float, Numbers> floats, Step<double, Numbers> doubles,
                     const Numbers& attributes, ReadScalars<Numbers> read) {
  Prepared made;
  // New state takes the place of the old: the parameter, then all that follows the gradient.
  for (uint32_t i = 0; i + 1 < Tensors; ++i) {
    made.outputs.push_back({.may_alias_inputs = uint64_t{1} << (i == 0 ? 0 : i + 1)});
  }
  made.kernel = function_kernel([=](Call& call) {
    Numbers numbers = attributes;
    read(call, numbers);
    if (call.input(Tensors).dtype == SY_FLOAT64) {
      run_step<Tensors>(doubles, numbers, call);
    } else {
      run_step<Tensors>(floats, numbers, call);
    }
  });
  return made;
}

Prepared make_sgd(const sy::Node& node) {
  const VectorSteps& steps = vector_steps();
  SgdNumbers numbers{};
  numbers.weight_decay = node.real("weight_decay", 0.0f);
  return step_kernel<2, SgdNumbers>(
      steps.sgd_floats, steps.sgd_doubles, numbers,
      [](Call& call, SgdNumbers& read) { read.rate = number_of(call.input(2)); });
}

Prepared make_momentum(const sy::Node& node) {
  const VectorSteps& steps = vector_steps();
  MomentumNumbers numbers{};
  numbers.weight_decay = node.real("weight_decay", 0.0f);
  numbers.momentum = node.real("momentum");
  numbers.nesterov = node.flag("nesterov");
  return step_kernel<3, MomentumNumbers>(steps.momentum_floats, steps.momentum_doubles, numbers,
                                         [](Call& call, MomentumNumbers& read) {
                                           read.rate = number_of(call.input(3));
                                           read.dampening = number_of(call.input(4));
                                         });
}

Prepared make_adam(const sy::Node& node) {
  const VectorSteps& steps = vector_steps();
  AdamNumbers numbers{};
  numbers.weight_decay = node.real("weight_decay", 0.0f);
  numbers.epsilon = node.real("epsilon", 1e-8f);
  numbers.gain1 = node.real("gain1", 0.1f);
  numbers.gain2 = node.real("gain2", 0.001f);
  numbers.decoupled = node.flag("decoupled");
  return step_kernel<4, AdamNumbers>(steps.adam_floats, steps.adam_doubles, numbers,
                                     [](Call& call, AdamNumbers& read) {
                                       read.rate = number_of(call.input(4));
                                       read.correction1 = number_of(call.input(5));
                                       read.correction2 = number_of(call.input(6));
                                     });
}

constexpr KernelRow optimizer_rows[] = {
    {"SgdStep", float_types, float_types, make_sgd, nullptr, any_strides, "switchyard"},
    {"MomentumStep", float_types, float_types, make_momentum, nullptr, any_strides, "switchyard"},
    {"AdamStep", float_types, float_types, make_adam, nullptr, any_strides, "switchyard"},
};

}  // namespace

KernelTable optimizer_kernels() { return optimizer_rows; }

}  // namespace cpu
