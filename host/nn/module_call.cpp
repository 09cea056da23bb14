// A call of a module, and the hooks around it.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>

#include "autograd/hook_list.hpp"
#include "nn/module_state.hpp"

namespace switchyard::nn {
namespace {

using BackwardHooks = HookList<Hook<Tensor, const Tensor&, const Tensor&>>;

/// The same elements as a tensor of its own, whose gradient is that of one call alone.
Tensor in_this_call(const Tensor& x) {
  static const auto& identity =
      *new CustomFunction{"ModuleCall",
                          [](FunctionContext&, std::span<const Tensor> inputs) {
                            return std::vector<Tensor>(inputs.begin(), inputs.end());
                          },
                          [](FunctionContext&, std::span<const Tensor> gradients) {
                            return std::vector<Tensor>(gradients.begin(), gradients.end());
                          }};
  return identity(std::array{x})[0];
}

template <typename Function>
std::shared_ptr<HookList<Function>> new_hooks() {
  return std::make_shared<HookList<Function>>();
}

template <typename Function>
RemovableHandle added(const char* name, const std::shared_ptr<HookList<Function>>& hooks,
                      Function hook) {
  if (!hook)
    throw Error(ErrorKind::invalid_argument, fmt::format("[{}] got no function; give one", name));
  return add_hook(hooks, std::move(hook));
}

}  // namespace

struct Module::Hooks {
  std::shared_ptr<HookList<Hook<Tensor, Module&, const Tensor&>>> before =
      new_hooks<Hook<Tensor, Module&, const Tensor&>>();
  std::shared_ptr<HookList<Hook<Tensor, Module&, const Tensor&, const Tensor&>>> after =
      new_hooks<Hook<Tensor, Module&, const Tensor&, const Tensor&>>();
  std::shared_ptr<BackwardHooks> backward = new_hooks<Hook<Tensor, const Tensor&, const Tensor&>>();
};

/// Waits for the gradients of one call. The output's comes first, and is kept for the input's.
class Module::BackwardCall {
 public:
  explicit BackwardCall(std::shared_ptr<const BackwardHooks> hooks)
      : gradients_(std::make_shared<Gradients>()) {
    gradients_->hooks = std::move(hooks);
  }

  Tensor input(const Tensor& x) const {
    if (!x.requires_grad()) return x;
    gradients_->has_input = true;
    const Tensor own = in_this_call(x);
    own.register_hook([all = gradients_](const Tensor& gradient) {
      return all->call(gradient, std::exchange(all->grad_output, Tensor()));
    });
    return own;
  }

  Tensor output(const Tensor& y) const {
    if (!y.defined() || !y.requires_grad()) return y;
    const Tensor own = in_this_call(y);
    own.register_hook([all = gradients_](const Tensor& gradient) {
      if (all->has_input) {
        all->grad_output = gradient;
      } else {
        static_cast<void>(all->call(Tensor(), gradient));
      }
    });
    return own;
  }

 private:
  struct Gradients {
    Tensor call(Tensor grad_input, const Tensor& grad_output) const {
      hooks->each([&](const auto& hook) {
        const Tensor given = hook(grad_input, grad_output);
        if (!given.defined()) return;
        if (!has_input) {
          throw Error(ErrorKind::invalid_argument,
                      "[register_full_backward_hook] a hook gave a gradient of an input that "
                      "requires none; return an empty tensor");
        }
        grad_input = given;
      });
      return grad_input;
    }

    std::shared_ptr<const BackwardHooks> hooks;
    bool has_input = false;
    Tensor grad_output;
  };
  std::shared_ptr<Gradients> gradients_;
};

Module::Hooks& Module::hooks() {
  if (!state_->hooks) state_->hooks = std::make_shared<Hooks>();
  return *state_->hooks;
}

RemovableHandle Module::register_forward_pre_hook(Hook<Tensor, Module&, const Tensor&> hook) {
  return added("register_forward_pre_hook", hooks().before, std::move(hook));
}

RemovableHandle Module::register_forward_hook(
    Hook<Tensor, Module&, const Tensor&, const Tensor&> hook) {
  return added("register_forward_hook", hooks().after, std::move(hook));
}

RemovableHandle Module::register_full_backward_hook(
    Hook<Tensor, const Tensor&, const Tensor&> hook) {
  return added("register_full_backward_hook", hooks().backward, std::move(hook));
}

Tensor Module::operator()(const Tensor& x) {
  const std::shared_ptr<Hooks> hooks = state_->hooks;
  if (!hooks) return forward(x);
  Tensor input = x;
  hooks->before->each([&](const auto& hook) {
    if (const Tensor given = hook(*this, input); given.defined()) input = given;
  });
  std::optional<BackwardCall> backward;
  if (is_grad_enabled() && !hooks->backward->empty()) backward.emplace(hooks->backward);
  if (backward && input.defined()) input = backward->input(input);
  Tensor output = forward(input);
  hooks->after->each([&](const auto& hook) {
    if (const Tensor given = hook(*this, input, output); given.defined()) output = given;
  });
  return backward ? backward->output(output) : output;
}

Tensor Module::operator()(const Tensor& x) const {
  if (is_training()) {
    throw Error(ErrorKind::invalid_argument,
                "a const module was called in training mode, in which layers change; call eval() "
                "on it first, or call it as one that may change");
  }
  return const_cast<Module&>(*this)(x);
}

}  // namespace switchyard::nn
