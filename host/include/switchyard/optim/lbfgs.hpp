#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

struct LinePoint;

/// How far a step goes along its direction: lr, or as far as the strong conditions of Wolfe ask.
enum class LineSearch { none, strong_wolfe };

/// Of LBFGS. Counts are at least 1.
struct LBFGSOptions {
  std::int64_t history_size = 100;               ///< pairs of vectors that approximate the Hessian
  LineSearch line_search_fn = LineSearch::none;  ///< what a step looks for along its direction
  double lr = 1;  ///< how far a step goes without a line search, and where one begins
  std::optional<std::int64_t> max_eval = {};  ///< of the closure in a step; else 5 / 4 of max_iter
  std::int64_t max_iter = 20;                 ///< in a step
  double tolerance_change = 1e-9;  ///< of the loss, and of any element: a step ends at smaller ones
  double tolerance_grad = 1e-7;    ///< a step ends where no element of the gradient is larger
};

/// The quasi-Newton method of limited memory, as PyTorch has it (Nocedal and Wright, Numerical
/// Optimization, algorithms 7.4 and 3.5). It needs the closure, which it calls up to max_eval times
/// and a line search beyond; what it keeps is history_size times twice the size of the parameters.
/// Each iteration waits for the device.
///
/// All parameters form one group, and lie on one device in one floating-point type.
class SWITCHYARD_API LBFGS : public Optimizer {
 public:
  using Options = LBFGSOptions;
  /// Throws Error(invalid_argument) for counts below 1, and for parameters that differ in device or
  /// type.
  explicit LBFGS(const std::vector<Tensor>& parameters, const LBFGSOptions& options = {});
  ~LBFGS() override;

  /// May be changed between steps.
  LBFGSOptions& options() { return options_; }

  /// Throws Error(invalid_argument): a step needs a closure.
  void step() override;
  /// Gives back the loss before the step.
  Tensor step(const Closure& closure) override;

  /// As PyTorch's, that of the first parameter: "state.0.d", "state.0.old_dirs" (its vectors as the
  /// rows of a matrix) and so on.
  [[nodiscard]] StateDict state_dict() const override;
  void load_state_dict(const StateDict& state) override;

 protected:
  std::vector<std::string_view> state_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  struct Memory;
  [[nodiscard]] Tensor flat_gradient() const;
  [[nodiscard]] Tensor next_direction(const Tensor& gradient);
  void move_by(double step_size, const Tensor& direction) const;
  void follow_parameters();
  void aim(LinePoint& here);
  std::int64_t search(const Closure& closure, LinePoint& here);
  std::int64_t go(const Closure& closure, LinePoint& here, bool is_last);
  [[nodiscard]] bool is_settled(const LinePoint& here) const;

  LBFGSOptions options_;
  const std::vector<Tensor> parameters_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace switchyard::optim
