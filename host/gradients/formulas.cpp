#include "gradients/formulas.hpp"

#include "gradients/accumulate.hpp"
#include "gradients/op_backward.hpp"
#include "gradients/view_formulas.hpp"

namespace switchyard {
namespace {

class Formulas final : public BackwardFormulas {
 public:
  Gradients of_op(OpStep& step, Gradients grad_outputs) const override {
    return apply_rule(step, std::move(grad_outputs));
  }
  Gradients of_view(const ViewStep& step, Gradients grad_outputs) const override {
    return grad_of_view(step, grad_outputs);
  }
  Gradients of_write(const WriteToViewStep& step, Gradients grad_outputs) const override {
    return grad_of_write(step, grad_outputs);
  }
  Gradients of_leaf(AccumulateGrad& step, Gradients grad_outputs) const override {
    return accumulate_grad(step, std::move(grad_outputs));
  }
};

constexpr Formulas kFormulas;

}  // namespace

const BackwardFormulas& backward_formulas() { return kFormulas; }

}  // namespace switchyard
