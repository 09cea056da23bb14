// The gradient of resizing: a linear map of each dimension by itself, whose transposed map gives
// each element what the results that it is a tap of have. Elements that are not a tap get nothing,
// not even what infinity times 0 is.
#include <cmath>
#include <switchyard/functions.hpp>
#include <switchyard/plugin/resize.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/axes.hpp"
#include "gradients/rules/composite_gradient.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kResize("Resize");

using In = std::span<const Tensor>;

std::vector<std::int64_t> integers(const Tensor& list) {
  return list.to(DType::int64).to_vector<std::int64_t>();
}

std::vector<double> reals(const Tensor& list) {
  return list.to(DType::float64).to_vector<double>();
}

sy::ResizeAttributes rule_of(const Attributes& attributes) {
  sy::ResizeAttributes rule;
  rule.set_mode(attributes.get_text("mode", "nearest"));
  rule.set_coordinates(attributes.get_text("coordinate_transformation_mode", "half_pixel"));
  rule.set_rounding(attributes.get_text("nearest_mode", "round_prefer_floor"));
  rule.set_policy(attributes.get_text("keep_aspect_ratio_policy", "stretch"));
  rule.cubic_a = attributes.get_float("cubic_coeff_a", rule.cubic_a);
  rule.antialias = attributes.get_int("antialias", 0) != 0;
  rule.exclude_outside = attributes.get_int("exclude_outside", 0) != 0;
  return rule;
}

sy::ResizeRequest request_of(const Backward& step) {
  sy::ResizeRequest request;
  const std::size_t rank = step.input_shape(0).size();
  for (const std::int64_t axis : axes_or_all(step.attributes().get_ints("axes"), rank)) {
    request.axes.push_back(static_cast<std::size_t>(axis));
  }
  if (step.has_input(1)) request.region = reals(step.input(1));
  if (step.has_input(2)) request.scales = reals(step.input(2));
  if (request.scales.empty()) request.sizes = integers(step.input(3));
  return request;
}

/// What elements of the input give to results, each weight once.
struct Shares {
  std::vector<std::int64_t> results, elements;
  std::vector<double> weights;
};

/// Results outside of a crop show nothing of the input.
Shares shares_of(const sy::ResizeTable& table) {
  Shares shares;
  for (std::int64_t result = 0; result < table.output; ++result) {
    if (!table.outside.empty() && table.outside[static_cast<std::size_t>(result)] != 0) continue;
    for (std::int64_t tap = 0; tap < table.taps; ++tap) {
      const auto at = static_cast<std::size_t>(result * table.taps + tap);
      if (table.weight[at] == 0) continue;
      shares.results.push_back(result);
      shares.elements.push_back(table.index[at]);
      shares.weights.push_back(table.weight[at]);
    }
  }
  return shares;
}

/// Dimension `dim` of `g` by the weights alone that are not 0.
Tensor by_taps(const Tensor& g, std::int64_t dim, const sy::ResizeTable& table) {
  const Shares shares = shares_of(table);
  const auto axis = static_cast<std::size_t>(dim);
  const auto count = static_cast<std::int64_t>(shares.weights.size());
  Dims shape = g.shape();
  Dims along = Dims::filled(shape.size(), 1);
  shape[axis] = table.input;
  along[axis] = count;
  const Tensor nothing = g.detach().new_full(shape, 0);
  if (count == 0) return nothing;
  const Tensor given = mul(select_slices(g, dim, host_tensor({count}, shares.results)),
                           tensor(shares.weights, along, options_like(g)));
  return add_slices(nothing, dim, host_tensor({count}, shares.elements), given);
}

/// By all weights, in one product: much faster, and the same while 0 times the gradient is 0.
Tensor by_product(const Tensor& g, std::int64_t dim, const sy::ResizeTable& table) {
  const Shares shares = shares_of(table);
  std::vector<double> matrix(static_cast<std::size_t>(table.output * table.input), 0.0);
  for (std::size_t i = 0; i < shares.weights.size(); ++i) {
    const std::int64_t at = shares.results[i] * table.input + shares.elements[i];
    matrix[static_cast<std::size_t>(at)] += shares.weights[i];
  }
  const Tensor weights = tensor(matrix, {table.output, table.input}, options_like(g));
  return movedim(matmul(movedim(g, dim, -1), weights), -1, dim);
}

void resize_rule(Backward& step) {
  Tensor g = widened(step.grad_output());
  const sy::ResizeAttributes rule = rule_of(step.attributes());
  const sy::ResizeRequest request = request_of(step);
  const Dims& input = step.input_shape(0);
  const Dims output = g.shape();
  const auto stretches = sy::resize_stretches(rule, request, input.span(), output.span());
  // No sum is finite that holds an infinity or a NaN.
  const bool is_finite = std::isfinite(sum(g.detach()).item());
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (stretches[i].stays(rule)) continue;
    const auto dim = static_cast<std::int64_t>(request.axes[i]);
    const sy::ResizeTable table = sy::resize_table(rule, stretches[i]);
    g = is_finite ? by_product(g, dim, table) : by_taps(g, dim, table);
  }
  step.set_grad_input(0, g.to(step.input_dtype(0)));
}

/// The deprecated name of one form of Resize.
std::vector<Tensor> upsample(const Backward& step, In in) {
  const std::string_view mode = step.attributes().get_text("mode", "nearest");
  const Attributes given =
      attributes({{"coordinate_transformation_mode", std::string("asymmetric")},
                  {"mode", std::string(mode == "bilinear" ? "linear" : mode)},
                  {"nearest_mode", std::string("floor")}});
  return {kResize({in[0], {}, in[1]}, given)};
}

constexpr RuleRow kResizeRules[] = {
    {"Resize", resize_rule, saves(1, 2, 3)},
    {"Upsample", composite_gradient<upsample>, kAll},
};

}  // namespace

std::span<const RuleRow> resize_rules() { return kResizeRules; }

}  // namespace switchyard
