#include "autograd/gradient_hooks.hpp"

#include "autograd/gradient_form.hpp"

namespace switchyard {

void call_hooks(const GradientHooks& hooks, Tensor& gradient) {
  hooks.each([&](const Hook<Tensor, const Tensor&>& hook) {
    const Tensor given = hook(gradient);
    if (!given.defined()) return;
    gradient =
        fitting_gradient(given, GradientForm(*gradient.impl()), "register_hook", "the tensor");
  });
}

}  // namespace switchyard
