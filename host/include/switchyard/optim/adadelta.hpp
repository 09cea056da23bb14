#pragma once

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// Of Adadelta. Numbers are not negative.
struct AdadeltaOptions {
  double eps = 1e-6;        ///< added under both roots
  double lr = 1;            ///< how far a step goes
  double rho = 0.9;         ///< from 0 to 1
  double weight_decay = 0;  ///< how much of a parameter is added to its gradient
};

/// Zeiler, 2012. With averages of squares that forget by `rho`:
///
///   grad = gradient + weight_decay parameter
///   square_avg = rho square_avg + (1 - rho) grad^2
///   delta = sqrt(acc_delta + eps) / sqrt(square_avg + eps) grad
///   acc_delta = rho acc_delta + (1 - rho) delta^2
///   parameter -= lr delta
class SWITCHYARD_API Adadelta : public Optimizer {
 public:
  using Options = AdadeltaOptions;
  using Group = ParameterGroup<AdadeltaOptions>;
  /// Parameters and errors are those of Adam.
  /// @{
  explicit Adadelta(const std::vector<Tensor>& parameters, const AdadeltaOptions& options = {});
  explicit Adadelta(const std::vector<Group>& groups);
  /// @}

  /// Throws Error(invalid_argument) for a group that there is not.
  AdadeltaOptions& options(std::size_t group = 0) { return options_[checked(group)]; }

 protected:
  std::vector<std::string_view> state_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  std::vector<AdadeltaOptions> options_;
};

}  // namespace switchyard::optim
