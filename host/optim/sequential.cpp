#include <switchyard/optim/sequential.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <switchyard/error.hpp>

namespace switchyard::optim {
namespace {

[[noreturn]] void refuse_sequence(const std::string& what) {
  throw Error(ErrorKind::invalid_argument, "[SequentialLR] " + what);
}

void check_milestones(const std::vector<std::int64_t>& milestones, std::size_t schedulers) {
  if (milestones.size() + 1 != schedulers) {
    refuse_sequence(fmt::format("{} milestones between {} schedules; give one less than schedules",
                                milestones.size(), schedulers));
  }
  std::int64_t before = 1;
  for (const std::int64_t milestone : milestones) {
    if (milestone < before) {
      refuse_sequence(fmt::format("a milestone of {} after {}; they begin at 1 and do not go down",
                                  milestone, before));
    }
    before = milestone;
  }
}

std::string of_schedule(std::size_t i) { return fmt::format("_schedulers.{}.", i); }

}  // namespace

SequentialLR::SequentialLR(Optimizer& optimizer, const std::vector<LRScheduler*>& schedulers,
                           const std::vector<std::int64_t>& milestones)
    : LRScheduler(optimizer), schedulers_(schedulers), milestones_(milestones) {
  std::set<const LRScheduler*> seen;
  for (const LRScheduler* scheduler : schedulers) {
    if (!scheduler) refuse_sequence("a schedule is none; give one");
    if (!seen.insert(scheduler).second) refuse_sequence("a schedule comes twice; make two");
    if (&scheduler->optimizer_ == &optimizer) continue;
    refuse_sequence("a schedule is of another optimizer; make all of them for this one");
  }
  check_milestones(milestones, schedulers.size());
  SequentialLR::restart();
}

void SequentialLR::restart() {
  last_epoch_ = 0;
  schedulers_[0]->restart();
}

void SequentialLR::step() {
  ++last_epoch_;
  const auto after = std::upper_bound(milestones_.begin(), milestones_.end(), last_epoch_);
  LRScheduler& scheduler = *schedulers_[static_cast<std::size_t>(after - milestones_.begin())];
  const bool begins = after != milestones_.begin() && *std::prev(after) == last_epoch_;
  if (begins) {
    scheduler.restart();
  } else {
    scheduler.step();
  }
}

double SequentialLR::next(double lr, std::size_t) { return lr; }

StateDict SequentialLR::state_dict() const {
  StateDict state = LRScheduler::state_dict();
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    for (const auto& [name, value] : schedulers_[i]->state_dict()) {
      state.emplace(of_schedule(i) + name, value);
    }
  }
  return state;
}

namespace {

/// The states of the schedules, and of the sequence itself as the last.
std::vector<StateDict> parts_of(const StateDict& state, std::size_t schedules) {
  std::vector<StateDict> parts(schedules + 1);
  for (const auto& [name, value] : state) {
    std::size_t i = 0;
    while (i < schedules && !name.starts_with(of_schedule(i))) ++i;
    parts[i].emplace(i == schedules ? name : name.substr(of_schedule(i).size()), value);
  }
  return parts;
}

}  // namespace

void SequentialLR::load_state_dict(const StateDict& state) {
  const std::vector<StateDict> before = parts_of(state_dict(), schedulers_.size());
  const std::vector<StateDict> parts = parts_of(state, schedulers_.size());
  LRScheduler::load_state_dict(parts.back());
  std::size_t i = 0;
  try {
    for (; i < schedulers_.size(); ++i) schedulers_[i]->load_state_dict(parts[i]);
  } catch (...) {
    for (; i > 0; --i) schedulers_[i - 1]->load_state_dict(before[i - 1]);
    LRScheduler::load_state_dict(before.back());
    throw;
  }
}

}  // namespace switchyard::optim
