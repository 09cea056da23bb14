#include <switchyard/optim/cyclic.hpp>

#include <fmt/format.h>

#include <cmath>
#include <switchyard/error.hpp>

#include "optim/momentum_of.hpp"

namespace switchyard::optim {
namespace {

[[noreturn]] void refuse_cycle(const std::string& what) {
  throw Error(ErrorKind::invalid_argument, "[CyclicLR] " + what);
}

void check_cycle(const CyclicLROptions& options) {
  const std::int64_t down = options.step_size_down.value_or(options.step_size_up);
  if (options.step_size_up < 1 || down < 1) {
    refuse_cycle(fmt::format("step_size_up is {} and step_size_down {}; both must be positive",
                             options.step_size_up, down));
  }
  if (options.scale_fn && options.mode != CyclicMode::triangular) {
    refuse_cycle("scale_fn takes the place of a mode; leave one of them out");
  }
  if (!options.scale_fn && options.scale_mode != CyclicScale::cycle) {
    refuse_cycle("scale_mode is for scale_fn alone; leave it out");
  }
  if (options.gamma != 1 && options.mode != CyclicMode::exp_range) {
    refuse_cycle("gamma is for the mode exp_range alone; leave it out");
  }
  const CyclicLROptions standard;
  const bool has_momentum = options.base_momentum != standard.base_momentum ||
                            options.max_momentum != standard.max_momentum;
  if (has_momentum && !options.cycle_momentum) {
    refuse_cycle("base_momentum and max_momentum are for cycle_momentum alone; leave them out");
  }
}

/// Before the optimizer is changed.
void check_momenta(Optimizer& optimizer, const CyclicLROptions& options) {
  if (!options.cycle_momentum) return;
  for (std::size_t g = 0; g < optimizer.group_count(); ++g) momentum_of(optimizer, g, "CyclicLR");
}

/// The optimizer, whose first rates are these if no other schedule has come before.
Optimizer& with_rates(Optimizer& optimizer, double lr) {
  for (std::size_t g = 0; g < optimizer.group_count(); ++g) optimizer.set_lr(lr, g);
  return optimizer;
}

}  // namespace

CyclicLR::CyclicLR(Optimizer& optimizer, Real base_lr, Real max_lr, const CyclicLROptions& options)
    : LRScheduler((check_cycle(options), check_momenta(optimizer, options),
                   with_rates(optimizer, base_lr))),
      max_lr_(max_lr),
      options_(options) {
  for (std::size_t g = 0; g < optimizer.group_count(); ++g) {
    set_base_lr(base_lr, g);
    if (options.cycle_momentum) momenta_.push_back(&momentum_of(optimizer, g, "CyclicLR"));
  }
  begin();
}

double CyclicLR::height(double cycle, double step) const {
  if (options_.scale_fn) {
    return options_.scale_fn(options_.scale_mode == CyclicScale::cycle ? cycle : step);
  }
  switch (options_.mode) {
    case CyclicMode::triangular2: return 1 / std::pow(2, cycle - 1);
    case CyclicMode::exp_range: return std::pow(options_.gamma, step);
    case CyclicMode::triangular: break;
  }
  return 1;
}

double CyclicLR::next(double, std::size_t group) {
  const auto step = static_cast<double>(last_epoch());
  const auto up = static_cast<double>(options_.step_size_up);
  const auto down = static_cast<double>(options_.step_size_down.value_or(options_.step_size_up));
  const double share_up = up / (up + down);
  const double cycle = std::floor(1 + step / (up + down));
  const double part = 1 + step / (up + down) - cycle;
  const double rise = part <= share_up ? part / share_up : (part - 1) / (share_up - 1);
  const double scaled = rise * height(cycle, step);
  if (options_.cycle_momentum) {
    const double range = options_.max_momentum - options_.base_momentum;
    *momenta_[group] = options_.max_momentum - range * scaled;
  }
  return base_lr(group) + (max_lr_ - base_lr(group)) * scaled;
}

}  // namespace switchyard::optim
