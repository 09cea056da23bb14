// Gradients of normalizations, made of the input alone: what the forward call found is not kept.
// Those of the input, the scale and the bias are one op, wherever it says all.
#include <algorithm>
#include <numeric>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/reductions/sum_to.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kLineAverage("AveragePool"),
    kLayerGradient("LayerNormalizationGradient", "switchyard"),
    kGroupGradient("GroupNormalizationGradient", "switchyard"),
    kBatchGradient("BatchNormalizationGradient", "switchyard");

/// As the ops compute: narrow types in float32.
Tensor wide(const Tensor& x) { return x.dtype() == DType::float64 ? x : x.to(DType::float32); }

Dims dims_from(std::int64_t first, std::int64_t rank) {
  Dims dims = Dims::filled(static_cast<std::size_t>(rank - first), 0);
  std::iota(dims.begin(), dims.end(), first);
  return dims;
}

Dims all_but_channels(std::int64_t rank) {
  Dims dims = dims_from(1, rank);
  if (!dims.empty()) dims[0] = 0;
  return dims;
}

/// One number for each channel, to broadcast over [N, C, ...].
Tensor by_channel(const Tensor& numbers, std::int64_t rank) {
  if (rank < 2) return numbers;
  Dims shape = Dims::filled(static_cast<std::size_t>(rank - 1), 1);
  shape[0] = numbers.size();
  return reshape(wide(numbers), shape);
}

/// A mean far from 0 is rounded: what it lacks is the mean of the distances from it.
Tensor less_mean(const Tensor& x, const Dims& dims) {
  const Tensor about = sub(x, mean(x, dims, true));
  return sub(about, mean(about, dims, true));
}

/// A tensor with a mean of 0 and a variance of 1 over `dims`, and the factor that made it so.
struct Standard {
  Tensor values, factor;

  Standard(const Tensor& x, const Dims& dims, double epsilon) {
    const Tensor centred = less_mean(x, dims);
    factor = rsqrt(add(mean(square(centred), dims, true), epsilon));
    values = mul(centred, factor);
  }
  /// The gradient of `x`, given that of the values.
  Tensor back(const Tensor& gradient, const Dims& dims) const {
    const Tensor along = mul(values, mean(mul(gradient, values), dims, true));
    return mul(factor, sub(sub(gradient, mean(gradient, dims, true)), along));
  }
};

double epsilon_of(const Backward& step) { return step.attributes().get_float("epsilon", 1e-5F); }

void give(Backward& step, std::size_t i, const Tensor& gradient) {
  step.set_grad_input(i, gradient.to(step.input_dtype(i)));
}

/// What `x` gets by the mean and the factor that are outputs 1 and 2, too.
Tensor by_statistics(const Backward& step, const Standard& standard, const Tensor& x,
                     const Dims& dims) {
  const Tensor of_mean = step.grad_output(1).to(x.dtype()),
               of_factor = step.grad_output(2).to(x.dtype());
  const Tensor by_factor = mul(mul(of_factor, square(standard.factor)), standard.values);
  std::int64_t count = 1;
  for (const std::int64_t d : dims) count *= x.size(d);
  return div(sub(of_mean, by_factor), static_cast<double>(count));
}

/// The dimensions of a line of `rank`.
Dims layer_dims(const Backward& step, std::int64_t rank) {
  const std::int64_t axis = step.attributes().get_int("axis", -1);
  return dims_from(axis < 0 ? axis + rank : axis, rank);
}

/// Whether LayerNormalizationGradient says all: scale and bias are not broadcast, and nothing flows
/// through the mean and the factor.
bool fits_layer_gradient(const Backward& step) {
  if (!step.needs_input_grad(0) || step.has_grad_output(1) || step.has_grad_output(2)) return false;
  const Dims& shape = step.input_shape(0);
  const Dims dims = layer_dims(step, static_cast<std::int64_t>(shape.size()));
  const Dims line(shape.span().last(dims.size()));
  return step.input_shape(1) == line && (!step.needs_input_grad(2) || step.input_shape(2) == line);
}

/// The gradients of the input, the scale and the bias by an op that has such attributes besides.
void rule_by_op(Backward& step, const EagerOp& op, Attributes given) {
  const bool is_wide = step.input_dtype(0) == DType::float64;
  given.set("epsilon", step.attributes().get_float("epsilon", 1e-5F));
  given.set("stash_type", static_cast<std::int64_t>(is_wide ? DType::float64 : DType::float32));
  const std::size_t count = step.needs_input_grad(2) ? 3 : step.needs_input_grad(1) ? 2 : 1;
  const std::vector<Tensor> made =
      op.outputs(count, {step.grad_output(), step.input(0), step.input(1)}, std::move(given));
  for (std::size_t i = 0; i < count; ++i) {
    if (step.needs_input_grad(i)) step.set_grad_input(i, made[i]);
  }
}

void layer_rule(Backward& step) {
  if (fits_layer_gradient(step)) {
    const std::int64_t axis = step.attributes().get_int("axis", -1);
    return rule_by_op(step, kLayerGradient, attributes({{"axis", axis}}));
  }
  const Tensor x = wide(step.input(0)), g = wide(step.grad_output());
  const Dims dims = layer_dims(step, x.dim());
  if (step.needs_input_grad(2)) give(step, 2, sum_to(g, step.input_shape(2)));
  if (!step.needs_input_grad(0) && !step.needs_input_grad(1)) return;
  const Standard standard(x, dims, epsilon_of(step));
  if (step.needs_input_grad(0)) {
    Tensor of_x = standard.back(mul(g, wide(step.input(1))), dims);
    if (step.has_grad_output(1) || step.has_grad_output(2))
      of_x = add(of_x, by_statistics(step, standard, x, dims));
    give(step, 0, of_x);
  }
  if (step.needs_input_grad(1)) give(step, 1, sum_to(mul(g, standard.values), step.input_shape(1)));
}

std::vector<Tensor> layer_gradient(const Backward& step, std::span<const Tensor> in) {
  const Tensor g = wide(in[0]), x = wide(in[1]), scale = wide(in[2]);
  const Dims dims = layer_dims(step, x.dim());
  const Standard standard(x, dims, epsilon_of(step));
  const auto parameter = [&](std::size_t i, const Tensor& share) {
    return step.has_grad_output(i) ? sum_to(share, scale.shape()).to(in[1].dtype()) : Tensor();
  };
  return {standard.back(mul(g, scale), dims).to(in[1].dtype()),
          parameter(1, mul(g, standard.values)), parameter(2, g)};
}

/// [N, groups, rest].
Dims grouped(const Tensor& x, std::int64_t groups) {
  const std::int64_t lines = x.size(0) * groups;
  return {x.size(0), groups, lines == 0 ? 0 : x.size() / lines};
}

/// Scale and bias by channel, where nobody asks for the input's gradient.
void parameters_by_groups(Backward& step, std::int64_t groups) {
  const Tensor x = wide(step.input(0)), g = wide(step.grad_output());
  const Dims others = all_but_channels(x.dim());
  if (step.needs_input_grad(2)) give(step, 2, sum(g, others));
  if (!step.needs_input_grad(1)) return;
  const Standard standard(reshape(x, grouped(x, groups)), {2}, epsilon_of(step));
  give(step, 1, sum(mul(g, reshape(standard.values, x.shape())), others));
}

void by_groups(Backward& step, std::int64_t groups) {
  if (!step.needs_input_grad(0)) return parameters_by_groups(step, groups);
  rule_by_op(step, kGroupGradient, attributes({{"num_groups", groups}}));
}

/// Each channel is a group.
void instance_rule(Backward& step) {
  by_groups(step, std::max<std::int64_t>(1, step.input_shape(0)[1]));
}
void group_rule(Backward& step) { by_groups(step, step.attributes().get_int("num_groups", 1)); }

/// The gradients of a norm whose values are standardized as `lines` over `dims`.
std::vector<Tensor> channel_gradient(const Backward& step, std::span<const Tensor> in,
                                     const Dims& lines, const Dims& dims) {
  const Tensor g = wide(in[0]), x = wide(in[1]);
  const Standard standard(reshape(x, lines), dims, epsilon_of(step));
  const Tensor scaled = mul(g, by_channel(in[2], x.dim()));
  const auto parameter = [&](std::size_t i, const Tensor& share) {
    return step.has_grad_output(i) ? sum(share, all_but_channels(x.dim())).to(in[1].dtype())
                                   : Tensor();
  };
  return {reshape(standard.back(reshape(scaled, lines), dims), x.shape()).to(in[1].dtype()),
          parameter(1, mul(g, reshape(standard.values, x.shape()))), parameter(2, g)};
}

std::vector<Tensor> group_gradient(const Backward& step, std::span<const Tensor> in) {
  const std::int64_t groups = step.attributes().get_int("num_groups", 1);
  return channel_gradient(step, in, grouped(in[1], groups), {2});
}

std::vector<Tensor> batch_gradient(const Backward& step, std::span<const Tensor> in) {
  return channel_gradient(step, in, in[1].shape(), all_but_channels(in[1].dim()));
}

/// The running mean and variance move by what `momentum` leaves to the batch's own. Gives what `x`
/// gets by that.
Tensor by_running(Backward& step, const Standard& standard, const Tensor& x, const Dims& dims) {
  const double momentum = step.attributes().get_float("momentum", 0.9F);
  const Tensor of_mean = wide(step.grad_output(1)), of_variance = wide(step.grad_output(2));
  if (step.needs_input_grad(3)) give(step, 3, mul(of_mean, momentum));
  if (step.needs_input_grad(4)) give(step, 4, mul(of_variance, momentum));
  std::int64_t count = 1;
  for (const std::int64_t d : dims) count *= x.size(d);
  const Tensor centred = div(standard.values, standard.factor);
  const Tensor by_variance = mul(by_channel(of_variance, x.dim()), mul(centred, 2));
  return mul(add(by_channel(of_mean, x.dim()), by_variance),
             (1 - momentum) / static_cast<double>(count));
}

/// Whether BatchNormalizationGradient says all: nothing flows through the running statistics.
bool fits_batch_gradient(const Backward& step) {
  return step.needs_input_grad(0) && !step.has_grad_output(1) && !step.has_grad_output(2) &&
         step.input_shape(0).size() >= 2 && step.input_dtype(1) == step.input_dtype(0);
}

/// By the batch's own mean and variance.
void batch_training_rule(Backward& step) {
  if (fits_batch_gradient(step)) return rule_by_op(step, kBatchGradient, {});
  const Tensor x = wide(step.input(0)), g = wide(step.grad_output());
  const Dims dims = all_but_channels(x.dim());
  const Standard standard(x, dims, epsilon_of(step));
  Tensor of_running;
  if (step.has_grad_output(1) || step.has_grad_output(2))
    of_running = by_running(step, standard, x, dims);
  if (step.needs_input_grad(0)) {
    const Tensor of_x = standard.back(mul(g, by_channel(step.input(1), x.dim())), dims);
    give(step, 0, of_running.defined() ? add(of_x, of_running) : of_x);
  }
  if (step.needs_input_grad(1)) give(step, 1, sum(mul(g, standard.values), dims));
  if (step.needs_input_grad(2)) give(step, 2, sum(g, dims));
}

/// By a mean and a variance that are given.
void batch_inference_rule(Backward& step) {
  const Tensor x = wide(step.input(0)), g = wide(step.grad_output());
  const std::int64_t rank = x.dim();
  const Dims dims = all_but_channels(rank);
  const Tensor factor = rsqrt(add(wide(step.input(4)), epsilon_of(step)));
  const Tensor scale = mul(wide(step.input(1)), factor);
  if (step.needs_input_grad(0)) give(step, 0, mul(g, by_channel(scale, rank)));
  if (!step.needs_input_grad(1) && !step.needs_input_grad(2) && !step.needs_input_grad(3) &&
      !step.needs_input_grad(4))
    return;
  const Tensor total = sum(g, dims);
  if (step.needs_input_grad(2)) give(step, 2, total);
  if (step.needs_input_grad(3)) give(step, 3, neg(mul(total, scale)));
  if (!step.needs_input_grad(1) && !step.needs_input_grad(4)) return;
  const Tensor along = sum(mul(g, sub(x, by_channel(step.input(3), rank))), dims);
  if (step.needs_input_grad(1)) give(step, 1, mul(along, factor));
  if (step.needs_input_grad(4)) give(step, 4, mul(mul(along, scale), mul(square(factor), -0.5)));
}

void batch_rule(Backward& step) {
  const bool training = step.attributes().get_int("training_mode", 0) != 0;
  training ? batch_training_rule(step) : batch_inference_rule(step);
}

/// x / n, where n = (sum |x|^p)^(1/p); where that is 0, so is the result.
void lp_rule(Backward& step) {
  const Tensor x = step.input(0), g = step.grad_output();
  const Dims axis{step.attributes().get_int("axis", -1)};
  const bool by_squares = step.attributes().get_int("p", 2) == 2;
  const Tensor total = by_squares ? sum(square(x), axis, true) : sum(abs(x), axis, true);
  const Mask flat = eq(total, 0);
  const Tensor safe = where(flat, 1, total);
  const Tensor norm = by_squares ? sqrt(safe) : safe;
  const Tensor y = div(x, norm);
  const Tensor along = mul(by_squares ? y : sign(x), sum(mul(g, y), axis, true));
  step.set_grad_input(0, where(flat, 0, div(sub(g, along), norm)));
}

/// c / (s + 1e-9), where c is centred and s the root of its mean square.
void mean_variance_rule(Backward& step) {
  const Tensor x = step.input(0), g = step.grad_output();
  const std::vector<std::int64_t> given = step.attributes().get_ints("axes");
  const Dims dims = given.empty() ? Dims{0, 2, 3} : Dims(std::span(given));
  const Tensor centred = less_mean(x, dims);
  const Tensor deviation = sqrt(mean(square(centred), dims, true));
  const Tensor divisor = add(deviation, 1e-9);
  const Tensor along = div(mean(mul(g, centred), dims, true), mul(square(divisor), deviation));
  const Tensor of_centred = sub(div(g, divisor), mul(centred, along));
  step.set_grad_input(0, sub(of_centred, mean(of_centred, dims, true)));
}

/// What windows of `size` channels hold, over `size`. One reaches from `before` channels before its
/// own; what lies beyond the first and the last counts as 0.
Tensor mean_of_channels(const Tensor& x, std::int64_t size, std::int64_t before) {
  if (x.size() == 0) return x;
  const std::int64_t channels = x.size(1);
  const Tensor lines = reshape(x, {x.size(0), 1, channels, x.size() / (x.size(0) * channels)});
  const Attributes window =
      attributes({{"count_include_pad", std::int64_t{1}},
                  {"kernel_shape", std::vector<std::int64_t>{size, 1}},
                  {"pads", std::vector<std::int64_t>{before, 0, size - 1 - before, 0}}});
  return reshape(kLineAverage({lines}, window), x.shape());
}

/// x S^-beta, where S = bias + alpha / size times the squares summed over a window of channels.
void lrn_rule(Backward& step) {
  const Tensor x = wide(step.input(0)), g = wide(step.grad_output());
  const auto size = step.attributes().get_int("size", 1);
  const double alpha = step.attributes().get_float("alpha", 1e-4F);
  const double beta = step.attributes().get_float("beta", 0.75F);
  const std::int64_t before = (size - 1) / 2, after = size - 1 - before;
  const Tensor sums = add(mul(mean_of_channels(square(x), size, before), alpha),
                          step.attributes().get_float("bias", 1));
  // A channel is in the windows of those that it is in the windows of, seen from the other side.
  const Tensor of_sums = mul(mul(g, x), pow(sums, -beta - 1));
  const Tensor around = mul(mul(x, mean_of_channels(of_sums, size, after)), 2 * alpha * beta);
  give(step, 0, sub(mul(g, pow(sums, -beta)), around));
}

std::vector<Tensor> rms_norm(const Backward& step, std::span<const Tensor> in) {
  const CalledFunction here;
  const Tensor x = wide(in[0]);
  const std::int64_t axis = step.attributes().get_int("axis", -1);
  const Dims dims = dims_from(axis < 0 ? axis + x.dim() : axis, x.dim());
  const Tensor factor = rsqrt(add(mean(square(x), dims, true), epsilon_of(step)));
  return {mul(mul(x, factor).to(in[1].dtype()), in[1])};
}

constexpr RuleRow kNormalizationRules[] = {
    {"LayerNormalization", layer_rule, saves(0, 1)},
    {"LayerNormalizationGradient", composite_gradient<layer_gradient>, kAll, kNothing,
     "switchyard"},
    {"RMSNormalization", composite_gradient<rms_norm>, kAll},
    {"InstanceNormalization", instance_rule, saves(0, 1)},
    {"GroupNormalization", group_rule, saves(0, 1)},
    {"GroupNormalizationGradient", composite_gradient<group_gradient>, kAll, kNothing,
     "switchyard"},
    {"BatchNormalization", batch_rule, saves(0, 1, 3, 4)},
    {"BatchNormalizationGradient", composite_gradient<batch_gradient>, kAll, kNothing,
     "switchyard"},
    {"LpNormalization", lp_rule, saves(0)},
    {"MeanVarianceNormalization", mean_variance_rule, saves(0)},
    {"LRN", lrn_rule, saves(0)},
};

}  // namespace

std::span<const RuleRow> normalization_rules() { return kNormalizationRules; }

}  // namespace switchyard
