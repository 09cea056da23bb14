#pragma once

#include <utility>

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

struct AdamOptions {
  bool amsgrad = false;  ///< divide by the largest mean of squares so far
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double lr = 1e-3;
  double weight_decay = 0;
};

/// Kingma and Ba, 2014; weight_decay is added to the gradient. `amsgrad` is that of Reddi and
/// others, 2018; it stays as a group begins.
class SWITCHYARD_API Adam : public Optimizer {
 public:
  using Options = AdamOptions;
  using Group = ParameterGroup<AdamOptions>;
  explicit Adam(const std::vector<Tensor>& parameters, const AdamOptions& options = {});
  explicit Adam(const std::vector<Group>& groups);

  /// Throws Error(invalid_argument) for a group that there is not.
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

struct AdamWOptions {
  bool amsgrad = false;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double lr = 1e-3;
  double weight_decay = 1e-2;
  operator AdamOptions() const { return {amsgrad, betas, eps, lr, weight_decay}; }
};

/// Loshchilov and Hutter, 2017: weights shrink by lr weight_decay, whatever their gradients.
class SWITCHYARD_API AdamW : public Adam {
 public:
  using Options = AdamWOptions;
  using Group = ParameterGroup<AdamWOptions>;
  explicit AdamW(const std::vector<Tensor>& parameters, const AdamWOptions& options = {});
  explicit AdamW(const std::vector<Group>& groups);
};

}  // namespace switchyard::optim
