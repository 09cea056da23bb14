#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <switchyard/error.hpp>
#include <switchyard/optim/schedule.hpp>

#include "optim/state_reader.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard::optim {
namespace {

template <typename T>
void require(bool is_right, std::string_view name, T value, std::string_view range) {
  if (is_right) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[ReduceLROnPlateau] {} is {}; it must be {}", name, value, range));
}

}  // namespace

ReduceLROnPlateau::ReduceLROnPlateau(Optimizer& optimizer, const ReduceLROnPlateauOptions& options)
    : optimizer_(optimizer),
      options_(options),
      best_(options.maximize ? -std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::infinity()) {
  require(options.factor > 0 && options.factor < 1, "factor", options.factor,
          "more than 0 and less than 1");
  require(options.patience >= 0, "patience", options.patience, "at least 0");
  require(options.cooldown >= 0, "cooldown", options.cooldown, "at least 0");
  require(options.min_lr >= 0, "min_lr", options.min_lr, "at least 0");
  require(options.eps >= 0, "eps", options.eps, "at least 0");
}

bool ReduceLROnPlateau::is_better(double metric) const {
  const double sign = options_.maximize ? 1 : -1;
  if (options_.absolute_threshold) return sign * metric > sign * best_ + options_.threshold;
  return sign * metric > sign * best_ * (1 + sign * options_.threshold);
}

void ReduceLROnPlateau::reduce() {
  for (std::size_t g = 0; g < optimizer_.group_count(); ++g) {
    const double before = optimizer_.lr(g);
    const double after = std::max(before * options_.factor, options_.min_lr);
    if (before - after > options_.eps) optimizer_.set_lr(after, g);
  }
}

void ReduceLROnPlateau::step(Real metric) {
  if (is_better(metric)) {
    best_ = metric;
    bad_epochs_ = 0;
  } else {
    ++bad_epochs_;
  }
  if (cooldown_left_ > 0) {
    --cooldown_left_;
    bad_epochs_ = 0;
  }
  if (bad_epochs_ <= options_.patience) return;
  reduce();
  cooldown_left_ = options_.cooldown;
  bad_epochs_ = 0;
}

StateDict ReduceLROnPlateau::state_dict() const {
  return {{"best", host_scalar(best_)},
          {"num_bad_epochs", host_scalar(bad_epochs_)},
          {"cooldown_counter", host_scalar(cooldown_left_)}};
}

void ReduceLROnPlateau::load_state_dict(const StateDict& state) {
  StateReader reader(state);
  const double best = reader.number("best");
  const std::int64_t bad_epochs = reader.count("num_bad_epochs");
  const std::int64_t cooldown_left = reader.count("cooldown_counter");
  reader.finish("the schedule");
  best_ = best;
  bad_epochs_ = bad_epochs;
  cooldown_left_ = cooldown_left;
}

}  // namespace switchyard::optim
