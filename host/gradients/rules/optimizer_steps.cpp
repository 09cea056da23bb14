// Gradients of optimizer steps, for those who learn how to learn: the formulas of the ops.
#include <switchyard/functions.hpp>

#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

/// The tensors of a call as the type of its scalars, in which it computes.
class Operands {
 public:
  Operands(In in, std::size_t scalars)
      : in_(in), own_(in[0].dtype()), dtype_(in[scalars].dtype()) {}

  Tensor tensor(std::size_t i) const { return in_[i].to(dtype_); }
  Tensor scalar(std::size_t i) const { return reshape(in_[i], {}); }
  Tensor result(const Tensor& x) const { return x.to(own_); }

 private:
  const In in_;
  const DType own_, dtype_;
};

/// The gradient with the weights' decay.
Tensor decayed_gradient_of(const Backward& step, const Operands& in) {
  const double decay = step.attributes().get_float("weight_decay", 0);
  return decay == 0 ? in.tensor(1) : add(in.tensor(1), mul(in.tensor(0), decay));
}

std::vector<Tensor> sgd(const Backward& step, In given) {
  const Operands in(given, 2);
  return {in.result(sub(in.tensor(0), mul(in.scalar(2), decayed_gradient_of(step, in))))};
}

std::vector<Tensor> momentum(const Backward& step, In given) {
  const Operands in(given, 3);
  const double kept = step.attributes().get_float("momentum", 0);
  const Tensor grad = decayed_gradient_of(step, in);
  const Tensor velocity =
      add(mul(in.tensor(2), kept), mul(grad, sub(Tensor(1), in.scalar(4)).to(grad.dtype())));
  const bool nesterov = step.attributes().get_int("nesterov", 0) != 0;
  const Tensor direction = nesterov ? add(grad, mul(velocity, kept)) : velocity;
  return {in.result(sub(in.tensor(0), mul(in.scalar(3), direction))), in.result(velocity)};
}

/// The root has no derivative at 0, where nothing moves.
Tensor root(const Tensor& x) {
  const Mask flat = eq(x, 0);
  return where(flat, 0, sqrt(where(flat, 1, x)));
}

std::vector<Tensor> adam(const Backward& step, In given) {
  const Operands in(given, 4);
  const Attributes& numbers = step.attributes();
  const bool decoupled = numbers.get_int("decoupled", 0) != 0;
  const double gain1 = numbers.get_float("gain1", 0.1F), gain2 = numbers.get_float("gain2", 0.001F);
  const Tensor grad = decoupled ? in.tensor(1) : decayed_gradient_of(step, in);
  Tensor kept = in.tensor(0);
  if (decoupled) {
    const double decay = numbers.get_float("weight_decay", 0);
    kept = sub(kept, mul(kept, mul(in.scalar(4), decay)));
  }
  const Tensor first = add(in.tensor(2), mul(sub(grad, in.tensor(2)), gain1));
  const Tensor second = add(mul(in.tensor(3), 1 - gain2), mul(square(grad), gain2));
  const double epsilon = numbers.get_float("epsilon", 1e-8F);
  const Tensor divisor = add(div(root(second), sqrt(in.scalar(6))), epsilon);
  const Tensor change = mul(div(in.scalar(4), in.scalar(5)), div(first, divisor));
  return {in.result(sub(kept, change)), in.result(first), in.result(second)};
}

constexpr RuleRow kOptimizerStepsRules[] = {
    {"SgdStep", composite_gradient<sgd>, kAll, kNothing, "switchyard"},
    {"MomentumStep", composite_gradient<momentum>, kAll, kNothing, "switchyard"},
    {"AdamStep", composite_gradient<adam>, kAll, kNothing, "switchyard"},
};

}  // namespace

std::span<const RuleRow> optimizer_step_rules() { return kOptimizerStepsRules; }

}  // namespace switchyard
