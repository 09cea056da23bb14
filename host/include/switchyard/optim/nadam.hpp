#pragma once

#include <utility>

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// Of NAdam. Numbers are not negative, betas less than 1.
struct NAdamOptions {
  std::pair<double, double> betas = {0.9, 0.999};  ///< how slowly both means change
  bool decoupled_weight_decay = false;             ///< parameters shrink by themselves, as in AdamW
  double eps = 1e-8;                               ///< added to the divisor
  double lr = 2e-3;                                ///< how far a step goes
  double momentum_decay = 4e-3;                    ///< how fast the momentum grows to beta1
  double weight_decay = 0;  ///< how much of a parameter is added to its gradient
};

/// Dozat, 2016: Adam with Nesterov's momentum. In step t, from 1, with
/// mu(t) = beta1 (1 - 0.96^(t momentum_decay) / 2):
///
///   grad = gradient + weight_decay parameter; with decoupled_weight_decay parameter shrinks by
///   lr weight_decay instead
///   mu_product *= mu(t); it begins as 1
///   exp_avg = beta1 exp_avg + (1 - beta1) grad
///   exp_avg_sq = beta2 exp_avg_sq + (1 - beta2) grad^2
///   parameter -= lr ((1 - mu(t)) / (1 - mu_product) grad +
///                    mu(t + 1) / (1 - mu_product mu(t + 1)) exp_avg) /
///                (sqrt(exp_avg_sq / (1 - beta2^t)) + eps)
class SWITCHYARD_API NAdam : public Optimizer {
 public:
  using Options = NAdamOptions;
  using Group = ParameterGroup<NAdamOptions>;
  /// Parameters and errors are those of Adam.
  /// @{
  explicit NAdam(const std::vector<Tensor>& parameters, const NAdamOptions& options = {});
  explicit NAdam(const std::vector<Group>& groups);
  /// @}

  /// Throws Error(invalid_argument) for a group that there is not.
  NAdamOptions& options(std::size_t group = 0) { return options_[checked(group)]; }

 protected:
  std::vector<std::string_view> state_names(std::size_t group) const override;
  std::vector<std::string_view> number_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  std::vector<NAdamOptions> options_;
};

}  // namespace switchyard::optim
