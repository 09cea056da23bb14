#include <fmt/format.h>

#include <cmath>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/optim/grad_scaler.hpp>

#include "optim/state_reader.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard::optim {
namespace {

void check(const GradScalerOptions& options) {
  const bool sound = options.init_scale > 0 && std::isfinite(options.init_scale) &&
                     options.growth_factor > 1 && options.backoff_factor > 0 &&
                     options.backoff_factor < 1 && options.growth_interval > 0;
  if (sound) return;
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("GradScaler needs a finite scale above 0, growth above 1, backoff between 0 and "
                  "1 and an interval of at least 1; got {}, {}, {} and {}",
                  options.init_scale, options.growth_factor, options.backoff_factor,
                  options.growth_interval));
}

}  // namespace

GradScaler::GradScaler(const GradScalerOptions& options)
    : options_(options), scale_(options.init_scale) {
  check(options);
}

Tensor GradScaler::scale(const Tensor& loss) const {
  return options_.enabled ? mul(loss, scale_) : loss;
}

void GradScaler::unscale_(const Optimizer& optimizer) {
  if (!options_.enabled) return;
  if (unscaled_.count(&optimizer) > 0) {
    throw Error(ErrorKind::invalid_argument,
                "unscale_() was called twice for an optimizer; call update() after each step");
  }
  for (const Tensor& parameter : optimizer.parameters()) {
    const Tensor gradient = parameter.grad();
    if (!gradient.defined() || gradient.dtype() != DType::float16) continue;
    throw Error(ErrorKind::invalid_argument,
                "unscale_() got float16 gradients, which cannot hold what it gives; keep the "
                "parameters in float32 and compute under Autocast");
  }
  const NoGrad off;
  unscaled_.insert(&optimizer);
  Tensor zeros;  // NaN if one is not finite; on the device, so that the host waits once
  for (const Tensor& parameter : optimizer.parameters()) {
    const Tensor gradient = parameter.grad();
    if (!gradient.defined()) continue;
    gradient.mul_(1 / scale_);
    const Tensor zero = sum(mul(gradient, 0));
    const bool is_beside = zeros.defined() && zeros.device() == zero.device();
    zeros = is_beside ? add(zeros, zero) : zeros.defined() ? add(zero, zeros.item()) : zero;
  }
  if (zeros.defined() && zeros.item() != 0) overflowed_.insert(&optimizer);
}

bool GradScaler::step(Optimizer& optimizer) {
  if (options_.enabled && stepped_.count(&optimizer) > 0) {
    throw Error(ErrorKind::invalid_argument,
                "step() was called twice for an optimizer; call update() after each step");
  }
  if (options_.enabled && unscaled_.count(&optimizer) == 0) unscale_(optimizer);
  stepped_.insert(&optimizer);
  if (overflowed_.count(&optimizer) > 0) return false;
  optimizer.step();
  return true;
}

void GradScaler::update() {
  if (!overflowed_.empty()) {
    scale_ *= options_.backoff_factor;
    steps_since_growth_ = 0;
  } else if (!unscaled_.empty() && ++steps_since_growth_ == options_.growth_interval) {
    scale_ *= options_.growth_factor;
    steps_since_growth_ = 0;
  }
  stepped_.clear();
  unscaled_.clear();
  overflowed_.clear();
}

StateDict GradScaler::state_dict() const {
  return {{"scale", host_scalar(scale_)}, {"_growth_tracker", host_scalar(steps_since_growth_)}};
}

void GradScaler::load_state_dict(const StateDict& state) {
  StateReader reader(state);
  GradScalerOptions loaded = options_;
  loaded.init_scale = reader.number("scale");
  const std::int64_t steps_since_growth = reader.count("_growth_tracker");
  reader.finish("the GradScaler");
  check(loaded);
  scale_ = loaded.init_scale;
  steps_since_growth_ = steps_since_growth;
}

}  // namespace switchyard::optim
