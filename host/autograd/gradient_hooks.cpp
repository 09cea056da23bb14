#include "autograd/gradient_hooks.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "tensor/tensor_impl.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

std::string described_with_device(const Tensor& tensor) {
  return fmt::format("{} on {}", describe(tensor.dtype(), tensor.shape()), tensor.device().name());
}

void check_replacement(const Tensor& given, const Tensor& gradient) {
  const bool fits = given.dtype() == gradient.dtype() && given.shape() == gradient.shape() &&
                    given.impl()->device == gradient.impl()->device;
  if (fits) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[register_hook] a hook gave {} in place of a gradient that is {}; give "
                          "one that is alike, or none",
                          described_with_device(given), described_with_device(gradient)));
}

}  // namespace

void call_hooks(const GradientHooks& hooks, Tensor& gradient) {
  hooks.each([&](const Hook<Tensor, const Tensor&>& hook) {
    const Tensor given = hook(gradient);
    if (!given.defined()) return;
    check_replacement(given, gradient);
    gradient = given;
  });
}

}  // namespace switchyard
