#pragma once

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// Of RMSprop. Numbers are not negative.
struct RMSpropOptions {
  double alpha = 0.99;      ///< how slowly the means change
  bool centered = false;    ///< divide by the deviation from the mean, not from 0
  double eps = 1e-8;        ///< added to the divisor
  double lr = 1e-2;         ///< how far a step goes
  double momentum = 0;      ///< how much of a step is made again in the next one
  double weight_decay = 0;  ///< how much of a parameter is added to its gradient
};

/// Steps of lr gradient / (deviation + eps), where the deviation is the root of a moving average of
/// squares, from the moving mean if `centered`, which stays as a group begins.
class SWITCHYARD_API RMSprop : public Optimizer {
 public:
  using Options = RMSpropOptions;
  using Group = ParameterGroup<RMSpropOptions>;
  /// Parameters and errors are those of Adam.
  /// @{
  explicit RMSprop(const std::vector<Tensor>& parameters, const RMSpropOptions& options = {});
  explicit RMSprop(const std::vector<Group>& groups);
  /// @}

  /// Throws Error(invalid_argument) for a group that there is not.
  RMSpropOptions& options(std::size_t group = 0) { return options_[checked(group)]; }

 protected:
  std::vector<std::string_view> state_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  std::vector<RMSpropOptions> options_;
  const std::vector<RMSpropOptions> initial_;
};

}  // namespace switchyard::optim
