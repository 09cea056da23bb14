/// @file
/// How learning rates move. All formulas are PyTorch's; schedules of one optimizer work together,
/// as each but LambdaLR, OneCycleLR, CyclicLR and CosineAnnealingWarmRestarts changes the rate that
/// it finds. Call step() after optimizer.step(), once an epoch (OneCycleLR and CyclicLR: once a
/// batch). The optimizer must outlive them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <switchyard/number.hpp>
#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// What a checkpoint keeps of any schedule. One thread at a time may use one, and its optimizer.
class SWITCHYARD_API Schedule {
 public:
  virtual ~Schedule();
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  /// Where it stands; the rates themselves are part of the optimizer's state.
  [[nodiscard]] virtual StateDict state_dict() const = 0;
  /// Goes on from there. Throws Error(invalid_argument) that lists what is missing or unexpected;
  /// then nothing has changed.
  virtual void load_state_dict(const StateDict& state) = 0;

 protected:
  Schedule() = default;
};

/// A schedule of epochs or steps, which are counted from 0.
class SWITCHYARD_API LRScheduler : public Schedule {
 public:
  /// Sets the rates of the next epoch.
  virtual void step();
  /// The epoch whose rates are set: 0 at first.
  [[nodiscard]] std::int64_t last_epoch() const { return last_epoch_; }
  /// The rate of each group.
  [[nodiscard]] std::vector<double> get_last_lr() const;

  [[nodiscard]] StateDict state_dict() const override;
  void load_state_dict(const StateDict& state) override;

 protected:
  explicit LRScheduler(Optimizer& optimizer);
  /// Sets the rates of epoch 0: for constructors to call at their end.
  void begin() { step(); }
  /// Sets the rates that this schedule has in `epoch`.
  void set_epoch(Int epoch);
  /// Sets the first rates of the optimizer, and from them those of epoch 0.
  virtual void restart();
  /// The rate of a group in epoch last_epoch(), whose rate before was `lr`.
  virtual double next(double lr, std::size_t group) = 0;
  [[nodiscard]] double base_lr(std::size_t group) const { return base_lrs_.at(group); }
  void set_base_lr(double lr, std::size_t group) { base_lrs_.at(group) = lr; }

  Optimizer& optimizer_;

 private:
  friend class SequentialLR;  // which restarts others
  std::int64_t last_epoch_ = -1;
  std::vector<double> base_lrs_;  // before any schedule of the optimizer changed them
};

/// The first rate times what `factor` gives for the epoch.
class SWITCHYARD_API LambdaLR : public LRScheduler {
 public:
  /// Throws Error(invalid_argument) for an empty function.
  LambdaLR(Optimizer& optimizer, std::function<double(std::int64_t epoch)> factor);

 protected:
  double next(double lr, std::size_t group) override;

 private:
  std::function<double(std::int64_t)> factor_;
};

/// Times `gamma` every `step_size` epochs.
class SWITCHYARD_API StepLR : public LRScheduler {
 public:
  /// Throws Error(invalid_argument) for a `step_size` below 1.
  StepLR(Optimizer& optimizer, Int step_size, Real gamma = 0.1);

 protected:
  double next(double lr, std::size_t group) override;

 private:
  std::int64_t step_size_;
  double gamma_;
};

/// Times `gamma` at each of those epochs.
class SWITCHYARD_API MultiStepLR : public LRScheduler {
 public:
  /// In any order; an epoch that comes twice counts twice.
  MultiStepLR(Optimizer& optimizer, const std::vector<std::int64_t>& milestones, Real gamma = 0.1);

 protected:
  double next(double lr, std::size_t group) override;

 private:
  std::vector<std::int64_t> milestones_;
  double gamma_;
};

/// Times `gamma` every epoch.
class SWITCHYARD_API ExponentialLR : public LRScheduler {
 public:
  /// Any `gamma`.
  ExponentialLR(Optimizer& optimizer, Real gamma);

 protected:
  double next(double lr, std::size_t group) override;

 private:
  double gamma_;
};

/// Of ConstantLR.
struct ConstantLROptions {
  double factor = 1.0 / 3;       ///< of the rate at first; above 0, at most 1
  std::int64_t total_iters = 5;  ///< epochs, at least 1
};
/// Times `factor` until epoch total_iters. Throws Error(invalid_argument) for a factor that is not
/// above 0 and at most 1.
class SWITCHYARD_API ConstantLR : public LRScheduler {
 public:
  using Options = ConstantLROptions;
  /// Throws Error(invalid_argument) for fewer epochs than 1, too.
  explicit ConstantLR(Optimizer& optimizer, const ConstantLROptions& options = {});

 protected:
  double next(double lr, std::size_t group) override;

 private:
  ConstantLROptions options_;
};

/// Of LinearLR.
struct LinearLROptions {
  double end_factor = 1;          ///< not below 0
  double start_factor = 1.0 / 3;  ///< above 0
  std::int64_t total_iters = 5;   ///< epochs, at least 1
};
/// From start_factor to end_factor of the rate, in equal steps.
class SWITCHYARD_API LinearLR : public LRScheduler {
 public:
  using Options = LinearLROptions;
  /// Throws Error(invalid_argument) for options out of these ranges.
  explicit LinearLR(Optimizer& optimizer, const LinearLROptions& options = {});

 protected:
  double next(double lr, std::size_t group) override;

 private:
  LinearLROptions options_;
};

/// Of PolynomialLR.
struct PolynomialLROptions {
  double power = 1;              ///< not below 0
  std::int64_t total_iters = 5;  ///< epochs, at least 1
};
/// Times (1 - epoch / total_iters)^power: down to 0 in total_iters epochs.
class SWITCHYARD_API PolynomialLR : public LRScheduler {
 public:
  using Options = PolynomialLROptions;
  /// Throws Error(invalid_argument) for options out of these ranges.
  explicit PolynomialLR(Optimizer& optimizer, const PolynomialLROptions& options = {});

 protected:
  double next(double lr, std::size_t group) override;

 private:
  PolynomialLROptions options_;
};

/// Half a cosine wave from the rate down to `eta_min` in `t_max` epochs, then up again.
class SWITCHYARD_API CosineAnnealingLR : public LRScheduler {
 public:
  /// Throws Error(invalid_argument) for a `t_max` below 1.
  CosineAnnealingLR(Optimizer& optimizer, Int t_max, Real eta_min = 0);

 protected:
  double next(double lr, std::size_t group) override;

 private:
  std::int64_t t_max_;
  double eta_min_;
};

/// Of OneCycleLR.
struct OneCycleLROptions {
  double base_momentum = 0.85;    ///< where the rate is highest; with cycle_momentum alone
  bool cycle_momentum = true;     ///< whether momentum moves, too; the optimizer must have one
  double div_factor = 25;         ///< max_lr over the first rate
  double final_div_factor = 1e4;  ///< the first rate over the last
  bool linear = false;            ///< else along a cosine
  double max_momentum = 0.95;     ///< where the rate is lowest; with cycle_momentum alone
  double pct_start = 0.3;         ///< of the steps, that the rate rises
  bool three_phase = false;       ///< down to the first rate, and then to the last, not at once
};
/// Smith and Topin, 2017: from max_lr / div_factor up to max_lr and down to a final_div_factor of
/// where it began; momentum (Adam's first beta) goes the other way. Throws Error(invalid_argument)
/// for a step beyond total_steps.
class SWITCHYARD_API OneCycleLR : public LRScheduler {
 public:
  using Options = OneCycleLROptions;
  /// Throws Error(invalid_argument) for fewer steps than 1, a pct_start outside of [0, 1], momenta
  /// without cycle_momentum, and with cycle_momentum for an optimizer that has none.
  OneCycleLR(Optimizer& optimizer, Real max_lr, Int total_steps,
             const OneCycleLROptions& options = {});

 protected:
  double next(double lr, std::size_t group) override;

 private:
  struct Phase {
    double end, start_lr, end_lr, start_momentum, end_momentum;
  };
  [[nodiscard]] std::vector<Phase> phases(std::size_t group) const;

  double max_lr_;
  std::int64_t total_steps_;
  OneCycleLROptions options_;
};

/// Of SWALR.
struct SWALROptions {
  std::int64_t anneal_epochs = 10;  ///< not below 0
  bool linear = false;              ///< else along a cosine
};
/// Moves the rates that it finds to `swa_lr` in anneal_epochs epochs, where they stay: for the
/// epochs whose parameters AveragedModel averages (Izmailov and others, 2018).
class SWITCHYARD_API SWALR : public LRScheduler {
 public:
  using Options = SWALROptions;
  /// Throws Error(invalid_argument) for a negative rate or number of epochs.
  SWALR(Optimizer& optimizer, Real swa_lr, const SWALROptions& options = {});

 protected:
  double next(double lr, std::size_t group) override;

 private:
  [[nodiscard]] double done_in(std::int64_t epoch) const;

  double swa_lr_;
  SWALROptions options_;
};

/// Of ReduceLROnPlateau.
struct ReduceLROnPlateauOptions {
  bool absolute_threshold = false;  ///< the threshold is a difference, not a share of the best
  std::int64_t cooldown = 0;        ///< epochs after a change in which none is counted
  double eps = 1e-8;                ///< smaller changes of the rate are not made
  double factor = 0.1;              ///< of the rate, at each change
  bool maximize = false;            ///< the metric is better when it is larger
  double min_lr = 0;                ///< below which no rate goes
  std::int64_t patience = 10;       ///< epochs without a better metric that change nothing
  double threshold = 1e-4;          ///< by which a metric must be better
};
/// Times `factor` when the metric has not become better for more than `patience` epochs.
class SWITCHYARD_API ReduceLROnPlateau : public Schedule {
 public:
  using Options = ReduceLROnPlateauOptions;
  /// The optimizer must outlive it.
  explicit ReduceLROnPlateau(Optimizer& optimizer, const ReduceLROnPlateauOptions& options = {});

  /// Once an epoch, with what was measured after it.
  void step(Real metric);

  [[nodiscard]] StateDict state_dict() const override;
  void load_state_dict(const StateDict& state) override;

 private:
  [[nodiscard]] bool is_better(double metric) const;
  void reduce();

  Optimizer& optimizer_;
  ReduceLROnPlateauOptions options_;
  double best_;
  std::int64_t bad_epochs_ = 0, cooldown_left_ = 0;
};

}  // namespace switchyard::optim
