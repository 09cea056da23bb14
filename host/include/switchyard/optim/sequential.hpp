#pragma once

#include <cstdint>
#include <vector>

#include <switchyard/optim/schedule.hpp>

namespace switchyard::optim {

/// One schedule after the other: schedule i + 1 begins with the first rates of the optimizer in
/// epoch milestones[i].
///
///   optim::LinearLR warm_up(optimizer, {.start_factor = 0.1, .total_iters = 5});
///   optim::CosineAnnealingLR rest(optimizer, 95);
///   optim::SequentialLR schedule(optimizer, {&warm_up, &rest}, {5});
///
/// Only its own step() is to be called. The schedules must outlive it; their states are in its
/// own.
class SWITCHYARD_API SequentialLR : public LRScheduler {
 public:
  /// Throws Error(invalid_argument) for schedules of another optimizer, for one that comes twice,
  /// and unless there is one milestone less than schedules, each at least 1 and not before the one
  /// ahead.
  SequentialLR(Optimizer& optimizer, const std::vector<LRScheduler*>& schedulers,
               const std::vector<std::int64_t>& milestones);

  void step() override;

  [[nodiscard]] StateDict state_dict() const override;
  void load_state_dict(const StateDict& state) override;

 protected:
  void restart() override;
  double next(double lr, std::size_t group) override;

 private:
  std::vector<LRScheduler*> schedulers_;
  std::vector<std::int64_t> milestones_;
};

}  // namespace switchyard::optim
