#include <switchyard/optim/schedule.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <switchyard/error.hpp>

#include "optim/state_reader.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard::optim {
namespace {

std::string of_base(std::size_t group) { return fmt::format("base_lrs.{}", group); }

void require_positive(const char* schedule, const char* name, std::int64_t value) {
  if (value > 0) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] {} is {}; it must be positive", schedule, name, value));
}

}  // namespace

LRScheduler::LRScheduler(Optimizer& optimizer) : optimizer_(optimizer) {
  for (std::size_t g = 0; g < optimizer.group_count(); ++g) {
    base_lrs_.push_back(optimizer.initial_lr(g));
  }
}

Schedule::~Schedule() = default;

void LRScheduler::step() { set_epoch(last_epoch_ + 1); }

void LRScheduler::set_epoch(Int epoch) {
  last_epoch_ = epoch;
  for (std::size_t g = 0; g < base_lrs_.size(); ++g) {
    optimizer_.set_lr(next(optimizer_.lr(g), g), g);
  }
}

void LRScheduler::restart() {
  for (std::size_t g = 0; g < base_lrs_.size(); ++g) optimizer_.set_lr(base_lrs_[g], g);
  last_epoch_ = -1;
  step();
}

std::vector<double> LRScheduler::get_last_lr() const {
  std::vector<double> rates;
  for (std::size_t g = 0; g < base_lrs_.size(); ++g) rates.push_back(optimizer_.lr(g));
  return rates;
}

StateDict LRScheduler::state_dict() const {
  StateDict state{{"last_epoch", host_scalar(last_epoch_)}};
  for (std::size_t g = 0; g < base_lrs_.size(); ++g) {
    state.emplace(of_base(g), host_scalar(base_lrs_[g]));
  }
  return state;
}

void LRScheduler::load_state_dict(const StateDict& state) {
  StateReader reader(state);
  const std::int64_t last_epoch = reader.count("last_epoch");
  std::vector<double> base_lrs;
  for (std::size_t g = 0; g < base_lrs_.size(); ++g) base_lrs.push_back(reader.number(of_base(g)));
  reader.finish("the schedule");
  last_epoch_ = last_epoch;
  base_lrs_ = std::move(base_lrs);
}

LambdaLR::LambdaLR(Optimizer& optimizer, std::function<double(std::int64_t epoch)> factor)
    : LRScheduler(optimizer), factor_(std::move(factor)) {
  if (!factor_) throw Error(ErrorKind::invalid_argument, "[LambdaLR] got no function of the epoch");
  begin();
}
double LambdaLR::next(double, std::size_t group) { return base_lr(group) * factor_(last_epoch()); }

StepLR::StepLR(Optimizer& optimizer, Int step_size, Real gamma)
    : LRScheduler(optimizer), step_size_(step_size), gamma_(gamma) {
  require_positive("StepLR", "step_size", step_size);
  begin();
}
double StepLR::next(double lr, std::size_t) {
  return last_epoch() == 0 || last_epoch() % step_size_ != 0 ? lr : lr * gamma_;
}

MultiStepLR::MultiStepLR(Optimizer& optimizer, const std::vector<std::int64_t>& milestones,
                         Real gamma)
    : LRScheduler(optimizer), milestones_(milestones), gamma_(gamma) {
  begin();
}
double MultiStepLR::next(double lr, std::size_t) {
  const auto times = std::count(milestones_.begin(), milestones_.end(), last_epoch());
  return lr * std::pow(gamma_, static_cast<double>(times));
}

ExponentialLR::ExponentialLR(Optimizer& optimizer, Real gamma)
    : LRScheduler(optimizer), gamma_(gamma) {
  begin();
}
double ExponentialLR::next(double lr, std::size_t) { return last_epoch() == 0 ? lr : lr * gamma_; }

ConstantLR::ConstantLR(Optimizer& optimizer, const ConstantLROptions& options)
    : LRScheduler(optimizer), options_(options) {
  require_positive("ConstantLR", "total_iters", options.total_iters);
  if (!(options.factor > 0 && options.factor <= 1)) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("[ConstantLR] factor is {}; it must be above 0 and at most 1", options.factor));
  }
  begin();
}
double ConstantLR::next(double lr, std::size_t) {
  if (last_epoch() == 0) return lr * options_.factor;
  return last_epoch() == options_.total_iters ? lr * (1 / options_.factor) : lr;
}

LinearLR::LinearLR(Optimizer& optimizer, const LinearLROptions& options)
    : LRScheduler(optimizer), options_(options) {
  require_positive("LinearLR", "total_iters", options.total_iters);
  if (!(options.start_factor > 0 && options.end_factor >= 0)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[LinearLR] start_factor is {} and end_factor {}; each rate is made of "
                            "the one before, so the first must be above 0, the last not below",
                            options.start_factor, options.end_factor));
  }
  begin();
}
double LinearLR::next(double lr, std::size_t) {
  if (last_epoch() == 0) return lr * options_.start_factor;
  if (last_epoch() > options_.total_iters) return lr;
  const double rise = options_.end_factor - options_.start_factor;
  const auto total = static_cast<double>(options_.total_iters);
  const auto before = static_cast<double>(last_epoch() - 1);
  return lr * (1 + rise / (total * options_.start_factor + before * rise));
}

PolynomialLR::PolynomialLR(Optimizer& optimizer, const PolynomialLROptions& options)
    : LRScheduler(optimizer), options_(options) {
  require_positive("PolynomialLR", "total_iters", options.total_iters);
  if (!(options.power >= 0)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[PolynomialLR] power is {}; it must be 0 or more", options.power));
  }
  begin();
}
double PolynomialLR::next(double lr, std::size_t) {
  if (last_epoch() == 0 || last_epoch() > options_.total_iters) return lr;
  const auto total = static_cast<double>(options_.total_iters);
  const auto epoch = static_cast<double>(last_epoch());
  return lr * std::pow((1 - epoch / total) / (1 - (epoch - 1) / total), options_.power);
}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, Int t_max, Real eta_min)
    : LRScheduler(optimizer), t_max_(t_max), eta_min_(eta_min) {
  require_positive("CosineAnnealingLR", "t_max", t_max);
  begin();
}
double CosineAnnealingLR::next(double lr, std::size_t group) {
  if (last_epoch() == 0) return lr;
  const auto wave = [&](std::int64_t epoch) {
    return std::cos(std::numbers::pi * static_cast<double>(epoch) / static_cast<double>(t_max_));
  };
  if ((last_epoch() - 1 - t_max_) % (2 * t_max_) == 0) {  // leaves the lowest point
    return lr + (base_lr(group) - eta_min_) * (1 - wave(1)) / 2;
  }
  return (1 + wave(last_epoch())) / (1 + wave(last_epoch() - 1)) * (lr - eta_min_) + eta_min_;
}

}  // namespace switchyard::optim
