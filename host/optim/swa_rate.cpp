#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <switchyard/error.hpp>
#include <switchyard/optim/schedule.hpp>

namespace switchyard::optim {

SWALR::SWALR(Optimizer& optimizer, Real swa_lr, const SWALROptions& options)
    : LRScheduler(optimizer), swa_lr_(swa_lr), options_(options) {
  if (!(swa_lr >= 0) || options.anneal_epochs < 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[SWALR] swa_lr is {} and anneal_epochs {}; both must be 0 or more",
                            swa_lr, options.anneal_epochs));
  }
  begin();
}

/// The share of the way to swa_lr.
double SWALR::done_in(std::int64_t epoch) const {
  const auto epochs = static_cast<double>(std::max<std::int64_t>(options_.anneal_epochs, 1));
  const double part = std::clamp(static_cast<double>(epoch) / epochs, 0.0, 1.0);
  return options_.linear ? part : (1 - std::cos(std::numbers::pi * part)) / 2;
}

double SWALR::next(double lr, std::size_t) {
  const std::int64_t least = options_.anneal_epochs == 0 ? 1 : 0;
  const std::int64_t epoch = std::max(last_epoch(), least);
  const double before = done_in(epoch - 1), now = done_in(epoch);
  const double first = before == 1 ? swa_lr_ : (lr - before * swa_lr_) / (1 - before);
  return swa_lr_ * now + first * (1 - now);
}

}  // namespace switchyard::optim
