#pragma once

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

struct RmspropOptions {
  double lr = 1e-2;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;
};

/// Steps of lr gradient / (deviation + eps), where the deviation is the root of a moving average of
/// squares, from the moving mean if `centered`, which stays as a group begins.
class SWITCHYARD_API RMSprop : public Optimizer {
 public:
  using Group = ParameterGroup<RmspropOptions>;
  explicit RMSprop(const std::vector<Tensor>& parameters, const RmspropOptions& options = {});
  explicit RMSprop(const std::vector<Group>& groups);

  RmspropOptions& options(std::size_t group = 0) { return options_[group]; }

 protected:
  std::vector<std::string_view> state_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  std::vector<RmspropOptions> options_;
  const std::vector<RmspropOptions> initial_;
};

}  // namespace switchyard::optim
