#include <fmt/format.h>

#include <mutex>
#include <random>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "device/open_device.hpp"
#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "tensor/tensor_impl.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kUniform("PhiloxUniform", "switchyard"),
    kNormal("PhiloxNormal", "switchyard"), kInteger("PhiloxInteger", "switchyard");

/// Every process draws other numbers unless it asks for the same, as in PyTorch.
std::uint64_t seed_of_chance() {
  std::random_device chance;
  return std::uint64_t{chance()} << 32 | chance();
}

struct Stream {
  trace::QuietMutex guard;
  RandomState state{seed_of_chance(), 0};
};

Stream& stream() {
  static auto& the_one = *new Stream;
  return the_one;
}

/// The seed and the first of as many blocks as `count` numbers of any type need, which are then
/// drawn.
struct Draw {
  explicit Draw(std::int64_t count) {
    Stream& from = stream();
    std::scoped_lock guard(from.guard);
    seed = int64_scalar(static_cast<std::int64_t>(from.state.seed));
    offset = int64_scalar(static_cast<std::int64_t>(from.state.offset));
    from.state.offset += (static_cast<std::uint64_t>(count) + 1) / 2;
  }
  Tensor seed, offset;
};

/// On the device that the options name, which an empty tensor there tells the call.
Tensor on_device(const EagerOp& op, std::initializer_list<Tensor> inputs, Attributes given,
                 const TensorOptions& options) {
  if (options.device) {
    const DeviceScope scope(*options.device);
    return op(inputs, std::move(given));
  }
  return op(inputs, std::move(given));
}

Tensor draw(const EagerOp& op, const Dims& shape, const TensorOptions& options) {
  check_extents(shape);
  const Draw next(element_count(shape));
  const DType dtype = options.dtype.value_or(DType::float32);
  Tensor drawn = on_device(op, {int64s(shape), next.seed, next.offset},
                           attributes({{"dtype", static_cast<std::int64_t>(dtype)}}), options);
  if (options.requires_grad) drawn.requires_grad_();
  return drawn;
}

/// Throws unless the integers from `low` to `most` are ones of `dtype`.
void require_range(std::int64_t low, std::int64_t most, DType dtype) {
  const int bits = dtype == DType::bool_ ? 1 : bit_width(dtype);
  if (is_floating(dtype) || bits >= 64) return;
  const bool has_sign = is_integer(dtype) && !is_unsigned(dtype);
  const std::int64_t largest = (std::int64_t{1} << (has_sign ? bits - 1 : bits)) - 1;
  if (low >= (has_sign ? -largest - 1 : 0) && most <= largest) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[randint] {} does not hold all integers from {} to {}", name_of(dtype),
                          low, most));
}

}  // namespace

void manual_seed(std::uint64_t seed) { set_random_state({seed, 0}); }

RandomState random_state() {
  std::scoped_lock guard(stream().guard);
  return stream().state;
}

void set_random_state(const RandomState& state) {
  std::scoped_lock guard(stream().guard);
  stream().state = state;
}

Tensor rand(const Dims& shape, const TensorOptions& options) {
  const CalledFunction here;
  const DType dtype = options.dtype.value_or(DType::float32);
  if (dtype != DType::float16 && dtype != DType::bfloat16) return draw(kUniform, shape, options);
  // A narrow type rounds the largest numbers up to 1, which does not belong to the range.
  TensorOptions rest = options;
  rest.requires_grad = false;
  const double below_one = 1 - (dtype == DType::float16 ? 0x1p-11 : 0x1p-8);
  Tensor drawn = minimum(draw(kUniform, shape, rest), below_one);
  if (options.requires_grad) drawn.requires_grad_();
  return drawn;
}
Tensor randn(const Dims& shape, const TensorOptions& options) {
  const CalledFunction here;
  return draw(kNormal, shape, options);
}
Tensor rand_like(const Tensor& like, const TensorOptions& options) {
  const CalledFunction here;
  return rand(like.shape(), options_like(like, options));
}
Tensor randn_like(const Tensor& like, const TensorOptions& options) {
  const CalledFunction here;
  return randn(like.shape(), options_like(like, options));
}

Tensor randint(Int low, Int high, const Dims& shape, const TensorOptions& options) {
  const CalledFunction here;
  if (low >= high) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[randint] no integer lies in [{}, {})", low, high));
  }
  require_range(low, high - 1, options.dtype.value_or(DType::int64));
  check_extents(shape);
  const Draw next(element_count(shape));
  Tensor drawn = on_device(
      kInteger, {int64s(shape), next.seed, next.offset, int64_scalar(low), int64_scalar(high)},
      attributes({{"dtype", static_cast<std::int64_t>(DType::int64)}}), options);
  if (options.dtype) drawn = as_dtype(drawn, *options.dtype);
  if (options.requires_grad) drawn.requires_grad_();
  return drawn;
}

/// Drawn in float32 at least, so that a narrow type rounds no chance away.
Tensor bernoulli(const Tensor& p) {
  const CalledFunction here;
  require_floating("bernoulli", p);
  const Tensor chances = as_dtype(p.detach(), promote(p.dtype(), DType::float32));
  if (!all(logical_and(ge(chances, 0), le(chances, 1))).item<bool>()) {
    throw Error(ErrorKind::invalid_argument,
                "[bernoulli] p holds what is not a probability from 0 to 1");
  }
  return as_dtype(lt(rand_like(chances), chances), p.dtype());
}

}  // namespace switchyard
