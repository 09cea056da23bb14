#pragma once

#include <cstdint>
#include <set>

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

struct GradScalerOptions {
  double backoff_factor = 0.5;
  bool enabled = true;  ///< false: passes everything through
  double growth_factor = 2;
  std::int64_t growth_interval = 2000;  ///< steps without an overflow before the scale grows
  double init_scale = 65536;
};

/// Keeps the small gradients of float16 from vanishing: the loss is scaled up, the gradients down
/// again before the step, which is left out where one of them overflowed; the scale follows.
///
///   { Autocast half(DType::float16); loss = cross_entropy(net(x), target); }
///   scaler.scale(loss).backward();
///   scaler.step(optimizer);
///   scaler.update();
class SWITCHYARD_API GradScaler {
 public:
  using Options = GradScalerOptions;
  explicit GradScaler(const GradScalerOptions& options = {});

  [[nodiscard]] Tensor scale(const Tensor& loss) const;
  /// Divides the gradients of the optimizer's parameters by the scale, in place: for what is done
  /// with them before the step, such as clipping. Throws Error(invalid_argument) if it was done
  /// since update().
  void unscale_(const Optimizer& optimizer);
  /// unscale_() unless that is done, then optimizer.step() unless a gradient was infinite or NaN.
  /// True if the step was made. Throws Error(invalid_argument) if it was called since update().
  bool step(Optimizer& optimizer);
  /// Moves the scale: down after an overflow, up after growth_interval steps without.
  void update();

  [[nodiscard]] double get_scale() const { return options_.enabled ? scale_ : 1; }

  [[nodiscard]] StateDict state_dict() const;
  void load_state_dict(const StateDict& state);

 private:
  const GradScalerOptions options_;
  double scale_;
  std::int64_t steps_since_growth_ = 0;
  std::set<const Optimizer*> stepped_;     // since update()
  std::set<const Optimizer*> unscaled_;    // the same
  std::set<const Optimizer*> overflowed_;  // the same
};

}  // namespace switchyard::optim
