// Values made to have a mean of 0 and a variance of 1, over batches, layers or groups.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kBatch("BatchNormalization"), kLayer("LayerNormalization"),
    kGroup("GroupNormalization");

/// `given`, which must have that shape if it is a tensor, else `otherwise`.
Tensor parameter(std::string_view function, std::string_view what, const Tensor& given,
                 const Dims& shape, const Tensor& like, double otherwise) {
  if (!given.defined()) return like.detach().new_full(shape, otherwise);
  if (given.shape() == shape) return given;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] {} is of shape {}; for an input {} it must be {}", function, what,
                          describe(given.shape()), describe(like.shape()), describe(shape)));
}

Dims last_dims(std::string_view function, const Tensor& x, const Dims& shape) {
  require_floating(function, x);
  const std::size_t rank = x.shape().size(), count = shape.size();
  if (count >= 1 && count <= rank && Dims(x.shape().span().subspan(rank - count)) == shape) {
    Dims dims;
    for (std::size_t d = rank - count; d < rank; ++d) dims.push_back(static_cast<std::int64_t>(d));
    return dims;
  }
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] an input {} does not end with the dimensions {}", function,
                          describe(x.shape()), listed(shape)));
}

/// Values that have a mean of 0 and a variance of 1 over `dims`, made by functions: for an `eps`
/// that an attribute does not hold.
struct Standardized {
  Standardized(const Tensor& x, const Dims& dims, double eps)
      : mean(switchyard::mean(x, dims, true)) {
    const Tensor centred = sub(x, mean);
    variance = switchyard::mean(square(centred), dims, true);
    values = div(centred, sqrt(add(variance, eps)));
  }
  Tensor mean, variance, values;
};

/// One number for each channel, to broadcast over [N, C, ...].
Tensor by_channel(const Tensor& numbers, const Tensor& x) {
  Dims shape = Dims::filled(x.shape().size() - 1, 1);
  shape[0] = numbers.size();
  return reshape(numbers, shape);
}

Tensor scaled_by_channel(const Tensor& values, const Tensor& scale, const Tensor& shift) {
  return add(mul(values, by_channel(scale, values)), by_channel(shift, values));
}

Dims all_but_channels(const Tensor& x) {
  Dims dims{0};
  for (std::int64_t d = 2; d < x.dim(); ++d) dims.push_back(d);
  return dims;
}

/// What batch normalization makes in training: the result, and the batch's mean and variance.
std::array<Tensor, 3> by_batch(const Tensor& x, const Tensor& scale, const Tensor& shift,
                               double eps) {
  if (!fits_attribute(x.dtype(), eps)) {
    const Standardized made(x, all_but_channels(x), eps);
    return {scaled_by_channel(made.values, scale, shift), reshape(made.mean, {-1}),
            reshape(made.variance, {-1})};
  }
  // The batch's own statistics come out as the "running" ones of momentum 0.
  const Tensor start = x.detach().new_full({x.size(1)}, 0);
  const auto made = kBatch.outputs(3, {x, scale, shift, start, start},
                                   attributes({{"epsilon", static_cast<float>(eps)},
                                               {"momentum", 0.0F},
                                               {"training_mode", std::int64_t{1}}}));
  return {made[0], made[1], made[2]};
}

void move_to(const Tensor& running, const Tensor& value, double momentum) {
  running.mul_(1 - momentum).add_(as_dtype(value, running.dtype()), momentum);
}

/// As the running statistics of a batch norm of every channel of every sample move, which are then
/// averaged over the batch.
void move_to_instances(const Tensor& x, const Tensor& running_mean, const Tensor& running_var,
                       double momentum) {
  const NoGrad no_grad;
  const Tensor values = as_dtype(flatten(x.detach(), 2), wide_type(x.dtype()));
  if (running_mean.defined()) move_to(running_mean, mean(mean(values, {2}), {0}), momentum);
  if (running_var.defined()) move_to(running_var, mean(var(values, {2}), {0}), momentum);
}

Tensor train(const Tensor& x, const Tensor& scale, const Tensor& shift, const Tensor& running_mean,
             const Tensor& running_var, double momentum, double eps) {
  const std::int64_t channels = x.size(1);
  const double count = channels == 0 ? 0 : static_cast<double>(x.size() / channels);
  if (x.size() == 0) return x.clone();  // no values have no statistics
  if (count <= 1) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[batch_norm] training needs more than one value a channel, got {}",
                            describe(x.shape())));
  }
  const auto made = by_batch(x, scale, shift, eps);
  const NoGrad no_grad;
  if (running_mean.defined()) move_to(running_mean, made[1].detach(), momentum);
  if (running_var.defined())
    move_to(running_var, mul(made[2].detach(), count / (count - 1)), momentum);
  return made[0];
}

}  // namespace

Tensor batch_norm(const Tensor& x, const Tensor& running_mean, const Tensor& running_var,
                  const Tensor& weight, const Tensor& bias, Flag training, Real momentum,
                  Real eps) {
  const CalledFunction here;
  require_floating("batch_norm", x);
  if (x.dim() < 2) require_rank("batch_norm", x, 2, 8);
  const Dims channels{x.size(1)};
  const Tensor scale = parameter("batch_norm", "weight", weight, channels, x, 1);
  const Tensor shift = parameter("batch_norm", "bias", bias, channels, x, 0);
  if (training) return train(x, scale, shift, running_mean, running_var, momentum, eps);
  if (!running_mean.defined() || !running_var.defined()) {
    throw Error(ErrorKind::invalid_argument,
                "[batch_norm] needs running_mean and running_var unless it is training");
  }
  if (!fits_attribute(x.dtype(), eps)) {
    const Tensor centred = sub(x, by_channel(running_mean, x));
    const Tensor deviation = by_channel(sqrt(add(running_var, double{eps})), x);
    return scaled_by_channel(div(centred, deviation), scale, shift);
  }
  return kBatch({x, scale, shift, running_mean, running_var},
                attributes({{"epsilon", static_cast<float>(eps)}}));
}

Tensor instance_norm(const Tensor& x, const Tensor& running_mean, const Tensor& running_var,
                     const Tensor& weight, const Tensor& bias, Flag use_input_stats, Real momentum,
                     Real eps) {
  const CalledFunction here;
  require_floating("instance_norm", x);
  if (x.dim() < 3) require_rank("instance_norm", x, 3, 8);
  if (!use_input_stats) {
    if (!running_mean.defined() || !running_var.defined()) {
      throw Error(ErrorKind::invalid_argument,
                  "[instance_norm] needs running_mean and running_var unless it uses the input's");
    }
    return batch_norm(x, running_mean, running_var, weight, bias, false, momentum, eps);
  }
  const Dims channels{x.size(1)};
  for (const auto& [name, running] :
       {std::pair{"running_mean", running_mean}, {"running_var", running_var}}) {
    if (running.defined()) parameter("instance_norm", name, running, channels, x, 0);
  }
  const Tensor scale = parameter("instance_norm", "weight", weight, channels, x, 1);
  const Tensor shift = parameter("instance_norm", "bias", bias, channels, x, 0);
  if (x.size() == 0) return x.clone();  // no values have no statistics
  if (x.size() / (x.size(0) * x.size(1)) == 1) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[instance_norm] needs more than one value a channel, got {}",
                            describe(x.shape())));
  }
  const Tensor y = group_norm(x, x.size(1), scale, shift, eps);
  move_to_instances(x, running_mean, running_var, momentum);
  return y;
}

Tensor layer_norm(const Tensor& x, const Dims& shape, const Tensor& weight, const Tensor& bias,
                  Real eps) {
  const CalledFunction here;
  const Dims dims = last_dims("layer_norm", x, shape);
  const Tensor scale = parameter("layer_norm", "weight", weight, shape, x, 1);
  const Tensor shift = bias.defined() ? parameter("layer_norm", "bias", bias, shape, x, 0) : bias;
  if (!fits_attribute(x.dtype(), eps)) {
    const Tensor values = mul(Standardized(x, dims, eps).values, scale);
    return shift.defined() ? add(values, shift) : values;
  }
  const Attributes given = attributes({{"axis", dims[0]}, {"epsilon", static_cast<float>(eps)}});
  return shift.defined() ? kLayer({x, scale, shift}, given) : kLayer({x, scale}, given);
}

Tensor group_norm(const Tensor& x, Int groups, const Tensor& weight, const Tensor& bias, Real eps) {
  const CalledFunction here;
  require_floating("group_norm", x);
  if (x.dim() < 2) require_rank("group_norm", x, 2, 8);
  const Dims channels{x.size(1)};
  if (groups < 1 || channels[0] % groups != 0) {
    throw Error(
        ErrorKind::shape_mismatch,
        fmt::format("[group_norm] {} channels do not divide into {} groups", channels[0], groups));
  }
  const Tensor scale = parameter("group_norm", "weight", weight, channels, x, 1);
  const Tensor shift = parameter("group_norm", "bias", bias, channels, x, 0);
  if (!fits_attribute(x.dtype(), eps)) {
    const Tensor grouped =
        reshape(x, {x.size(0), groups, x.size() / std::max<std::int64_t>(1, x.size(0) * groups)});
    const Tensor values = Standardized(grouped, {2}, eps).values;
    return scaled_by_channel(reshape(values, x.shape()), scale, shift);
  }
  return kGroup({x, scale, shift},
                attributes({{"epsilon", static_cast<float>(eps)}, {"num_groups", groups}}));
}

Tensor rms_norm(const Tensor& x, const Dims& shape, const Tensor& weight, std::optional<Real> eps) {
  const CalledFunction here;
  const Dims dims = last_dims("rms_norm", x, shape);
  const auto smallest_step = [&] {
    switch (x.dtype()) {
      case DType::float64: return std::numeric_limits<double>::epsilon();
      case DType::float16: return 0x1p-10;
      case DType::bfloat16: return 0x1p-7;
      default: return static_cast<double>(std::numeric_limits<float>::epsilon());
    }
  };
  // Squares of 16 bits would overflow from 256 on.
  const Tensor wide = as_dtype(x, wide_type(x.dtype()));
  const Tensor squares = mean(square(wide), dims, true);
  Tensor scaled = mul(wide, rsqrt(add(squares, eps ? double{*eps} : smallest_step())));
  if (weight.defined()) scaled = mul(scaled, parameter("rms_norm", "weight", weight, shape, x, 1));
  return as_dtype(scaled, x.dtype());
}

}  // namespace switchyard
