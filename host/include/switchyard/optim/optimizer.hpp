#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/number.hpp>
#include <switchyard/state_dict.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

namespace optim {

/// Parameters that are learned with options of their own:
///
///   optim::SGD optimizer({{body.parameters(), {.lr = 0.01}}, {head.parameters(), {.lr = 0.1}}});
template <typename Options>
struct ParameterGroup {
  std::vector<Tensor> parameters;  ///< leaves that lie on a device, at least one
  Options options = {};            ///< for these alone
};

/// A number among the options of a group, by PyTorch's name.
struct Setting {
  std::string_view name;  ///< "lr", "beta1"
  double* value;          ///< which may be changed
};

/// What all optimizers share. Parameters stay the same tensors, so one that is made before
/// `net.to(device)` goes on with them there; its state follows in the next step. One thread at a
/// time may use an optimizer. `step` enqueues its work and does not wait for it, but for that of
/// LBFGS, which reads losses.
class SWITCHYARD_API Optimizer {
 public:
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Changes each parameter that has a gradient, in place; records no gradients.
  virtual void step();
  /// Computes the loss and its gradients anew; returns the loss.
  ///
  ///   [&] { optimizer.zero_grad(); Tensor loss = f(); loss.backward(); return loss; }
  using Closure = std::function<Tensor()>;
  /// Calls `closure`, with gradients recorded, and makes a step by the gradients that it leaves;
  /// gives back its loss. Some optimizers call it several times in a step. Throws
  /// Error(invalid_argument) for an empty function.
  virtual Tensor step(const Closure& closure);
  /// Drops the gradients, or makes them zeros.
  void zero_grad(Flag set_to_none = true);

  /// Of all groups, in the order in which they were given.
  [[nodiscard]] std::vector<Tensor> parameters() const;
  /// Groups are counted from 0; an optimizer that was given a list has one.
  [[nodiscard]] std::size_t group_count() const { return groups_.size(); }

  /// The learning rate of a group, which is set as it is given. Throw Error(invalid_argument) for a
  /// group that there is not.
  /// @{
  [[nodiscard]] double lr(Int group = 0) const;
  void set_lr(Real lr, Int group = 0);
  /// @}
  /// The numbers among a group's options, which may be changed at any time. Throws
  /// Error(invalid_argument) for a group that there is not.
  [[nodiscard]] const std::vector<Setting>& settings(std::size_t group = 0) const;

  /// All that the next steps depend on, but for the parameters: "state.0.momentum_buffer" of the
  /// first parameter, "param_groups.0.lr". As safetensors it makes a run go on exactly. It shares
  /// the elements: clone() what must not change.
  [[nodiscard]] virtual StateDict state_dict() const;
  /// Throws Error(invalid_argument) that lists what is missing, unexpected, of another shape or out
  /// of range; then nothing has changed. Parameters must be those of the optimizer that gave it, in
  /// their order.
  virtual void load_state_dict(const StateDict& state);

 protected:
  /// What an optimizer keeps of one parameter.
  struct Slot {
    Tensor parameter;
    std::vector<Tensor> state;         ///< as state_names() has them; empty before the first step
    std::int64_t steps = 0;            ///< that were made
    std::vector<double> numbers = {};  ///< as number_names() has them; empty before the first step
  };

  Optimizer() = default;
  /// Calls `closure` with gradients recorded. Throws Error(invalid_argument) for an empty function,
  /// and one that gives no tensor.
  static Tensor loss_of(const Closure& closure);
  /// `group` itself. Throws Error(invalid_argument) unless it is less than group_count().
  [[nodiscard]] std::size_t checked(std::size_t group) const;
  /// `settings` must stay where they are. Throws Error(invalid_argument) for one that is negative,
  /// a beta of 1 or more, a parameter that an optimizer cannot change, and one that it has already.
  void add_group(std::span<const Tensor> parameters, std::vector<Setting> settings);

  /// Throws Error(invalid_argument) for a setting that was changed to what add_group() refuses.
  void check_settings() const;

  /// The tensors of a parameter's state; they start as zeros. While options change, the list may
  /// grow and shrink at its end; what it no longer names is forgotten in the next step.
  virtual std::vector<std::string_view> state_names(std::size_t group) const = 0;
  /// The numbers of a parameter's state, which start as 1.
  virtual std::vector<std::string_view> number_names(std::size_t group) const;
  /// One step of one parameter.
  virtual void update(Slot& slot, const Tensor& gradient, std::size_t group) = 0;

 private:
  struct Group {
    std::vector<Slot> slots;
    std::vector<Setting> settings;
    std::optional<double> initial_lr;  ///< that the first schedule found
  };
  friend class LRScheduler;
  [[nodiscard]] double initial_lr(std::size_t group);
  /// The slots that `state` describes; sets the settings on the way, which say what they hold.
  std::vector<std::vector<Slot>> read_state(const StateDict& state);
  void prepare(Slot& slot, std::size_t group) const;

  std::vector<Group> groups_;
};

}  // namespace optim
}  // namespace switchyard
