#pragma once

#include <cstdint>
#include <set>

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// Of GradScaler.
struct GradScalerOptions {
  double backoff_factor = 0.5;          ///< of the scale after an overflow; between 0 and 1
  bool enabled = true;                  ///< false: passes everything through
  double growth_factor = 2;             ///< of the scale after growth_interval; above 1
  std::int64_t growth_interval = 2000;  ///< steps without an overflow before the scale grows
  double init_scale = 65536;            ///< above 0 and finite
};

/// Keeps the small gradients of float16 from vanishing: the loss is scaled up, the gradients down
/// again before the step, which is left out where one of them overflowed; the scale follows.
///
///   { Autocast half(DType::float16); loss = cross_entropy(net(x), target); }
///   scaler.scale(loss).backward();
///   scaler.step(optimizer);
///   scaler.update();
///
/// One thread at a time may use a scaler. `step` waits for the gradients, as unscale_() does.
class SWITCHYARD_API GradScaler {
 public:
  using Options = GradScalerOptions;
  /// Throws Error(invalid_argument) for options out of their ranges.
  explicit GradScaler(const GradScalerOptions& options = {});

  /// The loss times the scale, of its dtype; itself, if the scaler is not enabled. Gradient: to the
  /// loss.
  [[nodiscard]] Tensor scale(const Tensor& loss) const;
  /// Divides the gradients of the optimizer's parameters by the scale, in place: for what is done
  /// with them before the step, such as clipping. Waits for them. Throws Error(invalid_argument) if
  /// it was done since update(), and for float16 gradients, which cannot hold the result.
  void unscale_(const Optimizer& optimizer);
  /// unscale_() unless that is done, then optimizer.step() unless a gradient was infinite or NaN.
  /// True if the step was made. Throws Error(invalid_argument) if it was called since update().
  bool step(Optimizer& optimizer);
  /// Moves the scale: down after an overflow, up after growth_interval steps without.
  void update();

  /// 1, if the scaler is not enabled.
  [[nodiscard]] double get_scale() const { return options_.enabled ? scale_ : 1; }

  /// The scale, and the steps since it grew; read, it goes on from there. Throws
  /// Error(invalid_argument) that lists what is missing, unexpected or out of range.
  /// @{
  [[nodiscard]] StateDict state_dict() const;
  void load_state_dict(const StateDict& state);
  /// @}

 private:
  const GradScalerOptions options_;
  double scale_;
  std::int64_t steps_since_growth_ = 0;
  std::set<const Optimizer*> stepped_;     // since update()
  std::set<const Optimizer*> unscaled_;    // the same
  std::set<const Optimizer*> overflowed_;  // the same
};

}  // namespace switchyard::optim
