#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <switchyard/error.hpp>
#include <switchyard/optim/schedule.hpp>

#include "optim/momentum_of.hpp"

namespace switchyard::optim {
namespace {

/// From `start` to `end`, of which `part` is done.
double between(double start, double end, double part, bool linear) {
  if (linear) return (end - start) * part + start;
  return end + (start - end) / 2 * (std::cos(std::numbers::pi * part) + 1);
}

}  // namespace

OneCycleLR::OneCycleLR(Optimizer& optimizer, Real max_lr, Int total_steps,
                       const OneCycleLROptions& options)
    : LRScheduler(optimizer), max_lr_(max_lr), total_steps_(total_steps), options_(options) {
  if (total_steps < 1 || options.pct_start < 0 || options.pct_start > 1) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[OneCycleLR] needs total_steps of 1 or more and a pct_start from 0 to "
                            "1, got {} and {}",
                            total_steps, options.pct_start));
  }
  const OneCycleLROptions standard;
  const bool has_momentum = options.base_momentum != standard.base_momentum ||
                            options.max_momentum != standard.max_momentum;
  if (has_momentum && !options.cycle_momentum) {
    throw Error(ErrorKind::invalid_argument,
                "[OneCycleLR] base_momentum and max_momentum are for cycle_momentum alone; leave "
                "them out");
  }
  for (std::size_t g = 0; g < optimizer.group_count(); ++g) {
    set_base_lr(max_lr / options.div_factor, g);
    if (options.cycle_momentum) momentum_of(optimizer, g, "OneCycleLR");
  }
  begin();
}

std::vector<OneCycleLR::Phase> OneCycleLR::phases(std::size_t group) const {
  const double start = base_lr(group), top = max_lr_;
  const double least = start / options_.final_div_factor;
  const double high = options_.max_momentum, low = options_.base_momentum;
  const auto total = static_cast<double>(total_steps_);
  const double rise = options_.pct_start * total;
  if (!options_.three_phase) {
    return {{rise - 1, start, top, high, low}, {total - 1, top, least, low, high}};
  }
  return {{rise - 1, start, top, high, low},
          {2 * rise - 2, top, start, low, high},
          {total - 1, start, least, high, high}};
}

double OneCycleLR::next(double, std::size_t group) {
  const auto step = static_cast<double>(last_epoch());
  if (last_epoch() > total_steps_) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[OneCycleLR] step {} of {}", last_epoch(), total_steps_));
  }
  const std::vector<Phase> all = phases(group);
  double start = 0;
  std::size_t i = 0;
  while (i + 1 < all.size() && step > all[i].end) start = all[i++].end;
  const Phase& phase = all[i];
  const double part = phase.end > start ? (step - start) / (phase.end - start) : 1;
  if (options_.cycle_momentum) {
    momentum_of(optimizer_, group, "OneCycleLR") =
        between(phase.start_momentum, phase.end_momentum, part, options_.linear);
  }
  return between(phase.start_lr, phase.end_lr, part, options_.linear);
}

}  // namespace switchyard::optim
