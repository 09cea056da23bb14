#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <switchyard/error.hpp>
#include <switchyard/optim/cyclic.hpp>

#include "optim/state_reader.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard::optim {

CosineAnnealingWarmRestarts::CosineAnnealingWarmRestarts(Optimizer& optimizer, Int t_0, Int t_mult,
                                                         Real eta_min)
    : LRScheduler(optimizer), t_0_(t_0), t_mult_(t_mult), eta_min_(eta_min) {
  if (t_0 < 1 || t_mult < 1) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[CosineAnnealingWarmRestarts] t_0 is {} and t_mult {}; both must be "
                            "positive",
                            t_0, t_mult));
  }
  begin();
}

void CosineAnnealingWarmRestarts::step() {
  if (last_epoch() < 0) return step(0.0);
  if (++since_restart_ >= length_) {
    since_restart_ -= length_;
    length_ *= static_cast<double>(t_mult_);
  }
  set_epoch(last_epoch() + 1);
}

void CosineAnnealingWarmRestarts::step(Real epoch) {
  constexpr double kMost = 9007199254740992;  // 2^53
  if (!(epoch >= 0 && epoch <= kMost)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[CosineAnnealingWarmRestarts] epoch {}; it must be 0 or more", epoch));
  }
  length_ = static_cast<double>(t_0_);
  since_restart_ = epoch;
  if (t_mult_ == 1) {
    since_restart_ = std::fmod(epoch, length_);
  } else {
    while (since_restart_ >= length_) {
      since_restart_ -= length_;
      length_ *= static_cast<double>(t_mult_);
    }
  }
  set_epoch(static_cast<std::int64_t>(std::floor(epoch)));
}

double CosineAnnealingWarmRestarts::next(double, std::size_t group) {
  const double wave = std::cos(std::numbers::pi * since_restart_ / length_);
  return eta_min_ + (base_lr(group) - eta_min_) * (1 + wave) / 2;
}

StateDict CosineAnnealingWarmRestarts::state_dict() const {
  StateDict state = LRScheduler::state_dict();
  state.emplace("T_cur", host_scalar(since_restart_));
  state.emplace("T_i", host_scalar(length_));
  return state;
}

void CosineAnnealingWarmRestarts::load_state_dict(const StateDict& state) {
  StateDict own, rest = state;
  for (const char* name : {"T_cur", "T_i"}) {
    if (auto entry = rest.extract(name)) own.insert(std::move(entry));
  }
  StateReader reader(own);
  const double since_restart = reader.number("T_cur");
  const double length = reader.number("T_i");
  reader.finish("the schedule");
  LRScheduler::load_state_dict(rest);
  since_restart_ = since_restart;
  length_ = length;
}

}  // namespace switchyard::optim
