/// @file
/// Schedules that begin again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <switchyard/number.hpp>
#include <switchyard/optim/schedule.hpp>

namespace switchyard::optim {

/// How high the cycles of CyclicLR are, of max_lr - base_lr: all of it; half as high with each
/// cycle; gamma^step.
enum class CyclicMode { triangular, triangular2, exp_range };
/// What CyclicLR's scale_fn is given: the cycle, from 1, or the step, from 0.
enum class CyclicScale { cycle, iterations };

/// Of CyclicLR.
struct CyclicLROptions {
  double base_momentum = 0.8;  ///< where the rate is highest; with cycle_momentum alone
  bool cycle_momentum = true;  ///< whether momentum moves, too
  double gamma = 1;            ///< for exp_range alone
  double max_momentum = 0.9;   ///< where the rate is lowest; with cycle_momentum alone
  CyclicMode mode = CyclicMode::triangular;         ///< how high cycles are
  std::function<double(double)> scale_fn = {};      ///< how high cycles are, in place of `mode`
  CyclicScale scale_mode = CyclicScale::cycle;      ///< for scale_fn alone
  std::optional<std::int64_t> step_size_down = {};  ///< else step_size_up
  std::int64_t step_size_up = 2000;                 ///< steps from the base to the top
};
/// Smith, 2015: from base_lr up to max_lr in step_size_up steps and down in step_size_down, again
/// and again; momentum (Adam's first beta) goes the other way. Throws Error(invalid_argument) for
/// options that do not apply, and with cycle_momentum for an optimizer that has none.
class SWITCHYARD_API CyclicLR : public LRScheduler {
 public:
  using Options = CyclicLROptions;
  /// All groups get `base_lr` first.
  CyclicLR(Optimizer& optimizer, Real base_lr, Real max_lr, const CyclicLROptions& options = {});

 protected:
  double next(double lr, std::size_t group) override;

 private:
  [[nodiscard]] double height(double cycle, double step) const;

  double max_lr_;
  CyclicLROptions options_;
  std::vector<double*> momenta_;  // of the groups; none without cycle_momentum
};

/// Loshchilov and Hutter, 2016: half a cosine wave from the rate down to `eta_min` in t_0 epochs,
/// then from the top again in t_0 t_mult, t_0 t_mult^2, ... Throws Error(invalid_argument) for a
/// t_0 or t_mult below 1.
class SWITCHYARD_API CosineAnnealingWarmRestarts : public LRScheduler {
 public:
  /// Throws as above.
  CosineAnnealingWarmRestarts(Optimizer& optimizer, Int t_0, Int t_mult = 1, Real eta_min = 0);

  void step() override;
  /// Sets the rates of any epoch, a fractional one too: `schedule.step(epoch + batch / batches)`.
  /// Throws Error(invalid_argument) for one that is negative, infinite or NaN.
  void step(Real epoch);

  [[nodiscard]] StateDict state_dict() const override;
  void load_state_dict(const StateDict& state) override;

 protected:
  double next(double lr, std::size_t group) override;

 private:
  std::int64_t t_0_, t_mult_;
  double eta_min_;
  double since_restart_ = 0, length_ = 0;  // PyTorch's T_cur and T_i, in epochs
};

}  // namespace switchyard::optim
