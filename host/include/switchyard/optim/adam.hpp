#pragma once

#include <utility>

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// Of Adam. Numbers are not negative, betas less than 1.
struct AdamOptions {
  bool amsgrad = false;                            ///< divide by the largest mean of squares so far
  std::pair<double, double> betas = {0.9, 0.999};  ///< how slowly both means change
  double eps = 1e-8;                               ///< added to the divisor
  double lr = 1e-3;                                ///< how far a step goes
  double weight_decay = 0;  ///< how much of a parameter is added to its gradient
};

/// Kingma and Ba, 2014; weight_decay is added to the gradient. `amsgrad` is that of Reddi and
/// others, 2018; it stays as a group begins.
class SWITCHYARD_API Adam : public Optimizer {
 public:
  using Options = AdamOptions;
  using Group = ParameterGroup<AdamOptions>;
  /// Of parameters that are leaves on a device, none of them twice. Throw Error(invalid_argument)
  /// for others, for a group without parameters and for numbers out of range.
  /// @{
  explicit Adam(const std::vector<Tensor>& parameters, const AdamOptions& options = {});
  explicit Adam(const std::vector<Group>& groups);
  /// @}

  /// May be changed at any time, but for `amsgrad`. Throws Error(invalid_argument) for a group that
  /// there is not.
  AdamOptions& options(std::size_t group = 0) { return options_[checked(group)]; }

 protected:
  Adam(const std::vector<Group>& groups, bool decoupled);
  std::vector<std::string_view> state_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  [[nodiscard]] bool is_fused(const Tensor& parameter, std::size_t group) const;
  void update_composed(Slot& slot, const Tensor& gradient, std::size_t group);

  std::vector<AdamOptions> options_;
  const std::vector<AdamOptions> initial_;
  const bool decoupled_;
};

/// Of AdamW, as those of Adam.
struct AdamWOptions {
  bool amsgrad = false;                            ///< divide by the largest mean of squares so far
  std::pair<double, double> betas = {0.9, 0.999};  ///< how slowly both means change
  double eps = 1e-8;                               ///< added to the divisor
  double lr = 1e-3;                                ///< how far a step goes
  double weight_decay = 1e-2;  ///< the share of a parameter, times lr, that it loses in a step
  /// The same numbers for Adam, which adds weight_decay to gradients.
  explicit operator AdamOptions() const { return {amsgrad, betas, eps, lr, weight_decay}; }
};

/// Loshchilov and Hutter, 2017: weights shrink by lr weight_decay, whatever their gradients.
class SWITCHYARD_API AdamW : public Adam {
 public:
  using Options = AdamWOptions;
  using Group = ParameterGroup<AdamWOptions>;
  /// Parameters and errors are those of Adam.
  /// @{
  explicit AdamW(const std::vector<Tensor>& parameters, const AdamWOptions& options = {});
  explicit AdamW(const std::vector<Group>& groups);
  /// @}
};

}  // namespace switchyard::optim
