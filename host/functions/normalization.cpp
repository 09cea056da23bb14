// Values made to have a mean of 0 and a variance of 1, over batches, layers or groups.
#include <fmt/format.h>

#include <limits>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/call.hpp"
#include "functions/numbers.hpp"
#include "functions/require.hpp"
#include "ops/describe.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kBatch("BatchNormalization"), kLayer("LayerNormalization"),
    kGroup("GroupNormalization");

/// `given`, which must have that shape if it is a tensor, else `otherwise`.
Tensor parameter(std::string_view function, std::string_view what, const Tensor& given,
                 const Dims& shape, const Tensor& like, double otherwise) {
  if (!given) return full_like(like.detach(), shape, otherwise);
  if (given.shape() == shape) return given;
  throw Error(ErrorKind::usage,
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
  throw Error(ErrorKind::usage, fmt::format("[{}] an input {} does not end with the dimensions {}",
                                            function, describe(x.shape()), describe(shape)));
}

void move_to(const Tensor& running, const Tensor& value, double momentum) {
  running.mul_(1 - momentum).add_(as_dtype(value, running.dtype()), momentum);
}

/// The batch's own statistics come out as the "running" ones of momentum 0.
Tensor train(const Tensor& x, const Tensor& scale, const Tensor& shift, const Tensor& running_mean,
             const Tensor& running_var, double momentum, double eps) {
  const std::int64_t channels = x.size(1);
  const double count = channels == 0 ? 0 : static_cast<double>(x.size() / channels);
  if (x.size() == 0) return x.clone();  // no values have no statistics
  if (count <= 1) {
    throw Error(ErrorKind::usage,
                fmt::format("[batch_norm] training needs more than one value a channel, got {}",
                            describe(x.shape())));
  }
  const Tensor start = full_like(x.detach(), {channels}, 0);
  const auto made = kBatch.outputs(3, {x, scale, shift, start, start},
                                   attributes({{"epsilon", static_cast<float>(eps)},
                                               {"momentum", 0.0F},
                                               {"training_mode", std::int64_t{1}}}));
  const NoGrad unnoted;
  if (running_mean) move_to(running_mean, made[1].detach(), momentum);
  if (running_var) move_to(running_var, mul(made[2].detach(), count / (count - 1)), momentum);
  return made[0];
}

}  // namespace

Tensor batch_norm(const Tensor& x, const Tensor& running_mean, const Tensor& running_var,
                  const Tensor& weight, const Tensor& bias, bool training, double momentum,
                  double eps) {
  require_floating("batch_norm", x);
  if (x.dim() < 2) require_rank("batch_norm", x, 2, 8);
  const Dims channels{x.size(1)};
  const Tensor scale = parameter("batch_norm", "weight", weight, channels, x, 1);
  const Tensor shift = parameter("batch_norm", "bias", bias, channels, x, 0);
  if (training) return train(x, scale, shift, running_mean, running_var, momentum, eps);
  if (!running_mean || !running_var) {
    throw Error(ErrorKind::usage,
                "[batch_norm] needs running_mean and running_var unless it is training");
  }
  return kBatch({x, scale, shift, running_mean, running_var},
                attributes({{"epsilon", static_cast<float>(eps)}}));
}

Tensor layer_norm(const Tensor& x, const Dims& shape, const Tensor& weight, const Tensor& bias,
                  double eps) {
  const Dims dims = last_dims("layer_norm", x, shape);
  const Tensor scale = parameter("layer_norm", "weight", weight, shape, x, 1);
  const Attributes given = attributes({{"axis", dims[0]}, {"epsilon", static_cast<float>(eps)}});
  if (!bias) return kLayer({x, scale}, given);
  return kLayer({x, scale, parameter("layer_norm", "bias", bias, shape, x, 0)}, given);
}

Tensor group_norm(const Tensor& x, std::int64_t groups, const Tensor& weight, const Tensor& bias,
                  double eps) {
  require_floating("group_norm", x);
  if (x.dim() < 2) require_rank("group_norm", x, 2, 8);
  const Dims channels{x.size(1)};
  if (groups < 1 || channels[0] % groups != 0) {
    throw Error(
        ErrorKind::usage,
        fmt::format("[group_norm] {} channels do not divide into {} groups", channels[0], groups));
  }
  return kGroup({x, parameter("group_norm", "weight", weight, channels, x, 1),
                 parameter("group_norm", "bias", bias, channels, x, 0)},
                attributes({{"epsilon", static_cast<float>(eps)}, {"num_groups", groups}}));
}

Tensor rms_norm(const Tensor& x, const Dims& shape, const Tensor& weight,
                std::optional<double> eps) {
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
  const bool is_short = x.dtype() == DType::float16 || x.dtype() == DType::bfloat16;
  const Tensor wide = is_short ? as_dtype(x, DType::float32) : x;
  const Tensor squares = mean(square(wide), dims, true);
  Tensor scaled = mul(wide, rsqrt(add(squares, eps ? *eps : smallest_step())));
  if (weight) scaled = mul(scaled, parameter("rms_norm", "weight", weight, shape, x, 1));
  return as_dtype(scaled, x.dtype());
}

}  // namespace switchyard
