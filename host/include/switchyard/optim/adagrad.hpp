#pragma once

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// Of Adagrad. Numbers are not negative.
struct AdagradOptions {
  double eps = 1e-10;                    ///< added to the divisor
  double initial_accumulator_value = 0;  ///< what the sums of squares begin with
  double lr = 1e-2;                      ///< how far a step goes
  double lr_decay = 0;                   ///< how fast steps become shorter
  double weight_decay = 0;               ///< how much of a parameter is added to its gradient
};

/// Duchi, Hazan and Singer, 2011. In step t, from 1:
///
///   grad = gradient + weight_decay parameter
///   sum += grad^2; it begins as initial_accumulator_value
///   parameter -= lr / (1 + (t - 1) lr_decay) grad / (sqrt(sum) + eps)
class SWITCHYARD_API Adagrad : public Optimizer {
 public:
  using Options = AdagradOptions;
  using Group = ParameterGroup<AdagradOptions>;
  /// Parameters and errors are those of Adam.
  /// @{
  explicit Adagrad(const std::vector<Tensor>& parameters, const AdagradOptions& options = {});
  explicit Adagrad(const std::vector<Group>& groups);
  /// @}

  /// Throws Error(invalid_argument) for a group that there is not.
  AdagradOptions& options(std::size_t group = 0) { return options_[checked(group)]; }

 protected:
  std::vector<std::string_view> state_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  std::vector<AdagradOptions> options_;
};

}  // namespace switchyard::optim
