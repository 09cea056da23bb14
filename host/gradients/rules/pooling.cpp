// Gradients of pools.
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/options_like.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"
#include "gradients/rules/windows.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kAveragePool("AveragePool"), kMaxGradient("MaxPoolGradient", "switchyard"),
    kMaxGather("MaxPoolGather", "switchyard"),
    kAverageGradient("AveragePoolGradient", "switchyard");

/// Indices that count the first spatial dimension fastest, as row-major ones; -1 stays.
Tensor row_major(const Tensor& indices, const Dims& x) {
  const Dims spatial = spatial_of(x);
  std::int64_t size = element_count(spatial);
  const Tensor plane = floor_divide(indices, size);
  Tensor rest = sub(indices, mul(plane, size));
  Tensor at = mul(plane, size);
  for (const std::int64_t extent : spatial) {
    size /= extent;
    at = add(at, mul(remainder(rest, extent), size));
    rest = floor_divide(rest, extent);
  }
  return where(lt(indices, 0), indices, at);
}

/// Functions that record a gradient ask for the indices.
void max_pool_rule(Backward& step) {
  if (!step.has_output(1)) {
    throw Error(ErrorKind::unsupported,
                "[MaxPool] has a gradient only where its indices are asked for, too");
  }
  const Dims& x = step.input_shape(0);
  Tensor indices = step.output(1).detach();
  if (step.attributes().get_int("storage_order", 0) != 0) indices = row_major(indices, x);
  step.set_grad_input(0, kMaxGradient({step.grad_output(), indices, int64s(x)}));
}

void max_gradient_rule(Backward& step) {
  step.set_grad_input(0, kMaxGather({step.grad_output(), step.input(1)}));
}

void max_gather_rule(Backward& step) {
  step.set_grad_input(
      0, kMaxGradient({step.grad_output(), step.input(1), int64s(step.input_shape(0))}));
}

/// Indices count the elements of what was pooled, whatever shape the result is given.
void max_unpool_rule(Backward& step) {
  const Attributes& given = step.attributes();
  const std::vector<std::int64_t> kernel = given.get_ints("kernel_shape");
  const Tensor g = step.grad_output();
  const SlidingWindow window =
      sliding_window(given, Dims(std::span(kernel)), g.shape(), step.input_shape(0));
  Dims missing = Dims::filled(2 * kernel.size(), 0);
  for (std::size_t axis = 0; axis < kernel.size(); ++axis) {
    const std::int64_t pooled =
        sy::conv_transpose_output_size(window[axis], step.input_shape(0)[axis + 2], 0);
    missing[2 * (kernel.size() - 1 - axis) + 1] = pooled - g.shape()[axis + 2];
  }
  step.set_grad_input(0, kMaxGather({pad(g, missing), step.input(1)}));
}

/// The window as AveragePoolGradient takes it.
Attributes average_window(const Backward& step, const Dims& y) {
  const Attributes& given = step.attributes();
  const std::vector<std::int64_t> kernel = given.get_ints("kernel_shape");
  Attributes made =
      to_attributes(sliding_window(given, Dims(std::span(kernel)), step.input_shape(0), y));
  made.set("ceil_mode", given.get_int("ceil_mode", 0));
  made.set("count_include_pad", given.get_int("count_include_pad", 0));
  made.set("kernel_shape", kernel);
  return made;
}

void average_pool_rule(Backward& step) {
  const Tensor g = step.grad_output();
  step.set_grad_input(
      0, kAverageGradient({g, int64s(step.input_shape(0))}, average_window(step, g.shape())));
}

void average_gradient_rule(Backward& step) {
  step.set_grad_input(0, kAveragePool({step.grad_output()}, step.attributes()));
}

/// By one |x| of the norm (sum |x|^p)^(1/p) = y, where y^(1-p) is `shares`, spread to x.
Tensor norm_derivative(const Tensor& x, const Tensor& shares, std::int64_t p) {
  const Tensor directed = mul(shares, sign(x));
  return p == 1 ? directed : mul(directed, pow(abs(x), static_cast<double>(p - 1)));
}

/// g y^(1-p), and 0 where y is: there all x are 0.
Tensor norm_shares(const Tensor& g, const Tensor& y, std::int64_t p) {
  if (p == 1) return g;
  const Mask flat = eq(y, 0);
  return where(flat, 0, mul(g, pow(where(flat, 1, y), static_cast<double>(1 - p))));
}

/// `shares` times how many elements each window sees.
Tensor times_seen(Tensor shares, const Backward& step) {
  const std::vector<std::int64_t> kernel = step.attributes().get_ints("kernel_shape");
  const Dims& x = step.input_shape(0);
  const Dims y = shares.shape();
  const SlidingWindow window = sliding_window(step.attributes(), Dims(std::span(kernel)), x, y);
  for (std::size_t axis = 0; axis < kernel.size(); ++axis) {
    std::vector<double> seen(static_cast<std::size_t>(y[axis + 2]), 0.0);
    for (std::size_t position = 0; position < seen.size(); ++position) {
      const auto at = static_cast<std::int64_t>(position);
      seen[position] = static_cast<double>(window[axis].taps(at, x[axis + 2]).count());
    }
    Dims along = Dims::filled(y.size(), 1);
    along[axis + 2] = y[axis + 2];
    shares = mul(shares, tensor(seen, along, options_like(shares)));
  }
  return shares;
}

/// The sum over windows is an average times what they see of x.
void lp_pool_rule(Backward& step) {
  const std::int64_t p = step.attributes().get_int("p", 2);
  const Tensor shares = times_seen(norm_shares(step.grad_output(), step.output(), p), step);
  Attributes window = average_window(step, shares.shape());
  window.set("count_include_pad", std::int64_t{0});
  const Tensor spread = kAverageGradient({shares, int64s(step.input_shape(0))}, window);
  step.set_grad_input(0, norm_derivative(step.input(0), spread, p));
}

double positions(const Backward& step) {
  return static_cast<double>(element_count(spatial_of(step.input_shape(0))));
}

void global_average_pool_rule(Backward& step) {
  step.set_grad_input(0, expand(div(step.grad_output(), positions(step)), step.input_shape(0)));
}

/// Shared among the positions that hold the greatest.
void global_max_pool_rule(Backward& step) {
  const Mask greatest = eq(step.input(0), step.output());
  Dims dims;
  for (std::int64_t d = 2; d < greatest.dim(); ++d) dims.push_back(d);
  const Tensor count = sum(greatest.to(step.input_dtype(0)), dims, true);
  step.set_grad_input(0, where(greatest, div(step.grad_output(), count), 0));
}

void global_lp_pool_rule(Backward& step) {
  const std::int64_t p = step.attributes().get_int("p", 2);
  const Tensor shares = norm_shares(step.grad_output(), step.output(), p);
  step.set_grad_input(0, norm_derivative(step.input(0), shares, p));
}

constexpr RuleRow kPoolingRules[] = {
    {"MaxPool", max_pool_rule, kNothing, saves(1)},
    {"MaxUnpool", max_unpool_rule, saves(1)},
    {"AveragePool", average_pool_rule},
    {"LpPool", lp_pool_rule, saves(0), saves(0)},
    {"GlobalAveragePool", global_average_pool_rule},
    {"GlobalMaxPool", global_max_pool_rule, saves(0), saves(0)},
    {"GlobalLpPool", global_lp_pool_rule, saves(0), saves(0)},
    {"MaxPoolGradient", max_gradient_rule, saves(1), kNothing, "switchyard"},
    {"MaxPoolGather", max_gather_rule, saves(1), kNothing, "switchyard"},
    {"AveragePoolGradient", average_gradient_rule, kNothing, kNothing, "switchyard"},
};

}  // namespace

std::span<const RuleRow> pooling_rules() { return kPoolingRules; }

}  // namespace switchyard
