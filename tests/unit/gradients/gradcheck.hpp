#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <switchyard/functions.hpp>

namespace switchyard {

/// A function of tensors whose gradients are to be checked; its result may have any shape.
using Differentiable = std::function<Tensor(std::span<const Tensor>)>;

/// A function of one or two tensors as one of a span.
inline Differentiable of_one(Tensor (*f)(const Tensor&)) {
  return [f](std::span<const Tensor> in) { return f(in[0]); };
}
inline Differentiable of_two(Tensor (*f)(const Tensor&, const Tensor&)) {
  return [f](std::span<const Tensor> in) { return f(in[0], in[1]); };
}

struct GradcheckOptions {
  double step = 1e-5;
  double tolerance = 1e-6;  // relative to 1 and to the value
  bool second_order = true;
  bool spread = true;  // of Inf and NaN; false only where a factor of the function itself is 0
};

/// "" if the gradients of `f` at `inputs` (float64, any strides, no element shown twice) agree with
/// central differences, to second order; else what differs. The result is weighted by fixed
/// numbers, so that every element counts. Besides, an infinity or a NaN in the gradient of one
/// element of the result must reach the inputs that this element depends on, and no others.
///
/// With SWITCHYARD_TESTS=short in the environment a few directions of each input stand for its
/// elements, and the first and last element of the result for all of them: enough where only the
/// device is another one.
std::string gradient_flaw(const Differentiable& f, std::vector<Tensor> inputs,
                          const GradcheckOptions& options = {});

/// Fixed numbers between `low` and `high` that follow no pattern; other ones for another `salt`.
Tensor scattered(const Dims& shape, double low = -1, double high = 1, int salt = 0);

/// The same elements, not contiguous: last dimension first in memory, with gaps.
Tensor strided(const Tensor& x);

#define CHECK_GRADIENTS(...) EXPECT_EQ(::switchyard::gradient_flaw(__VA_ARGS__), "")

}  // namespace switchyard
