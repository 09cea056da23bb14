#include <algorithm>
#include <cmath>
#include <string_view>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/scalar_rows.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

using P = UnaryParameters;

double unit_clamp(double x) { return x > 1 ? 1 : x < 0 ? 0 : x; }
double softplus(double x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }

double relu(double x, const P&) { return x < 0 ? 0 : x; }
double leaky_relu(double x, const P& p) { return x < 0 ? p.a * x : x; }
double elu(double x, const P& p) { return x < 0 ? p.a * std::expm1(x) : x; }
double selu(double x, const P& p) { return p.b * (x > 0 ? x : p.a * std::expm1(x)); }
double celu(double x, const P& p) { return x < 0 ? p.a * std::expm1(x / p.a) : x; }
double hard_sigmoid(double x, const P& p) { return unit_clamp(p.a * x + p.b); }
double hard_swish(double x, const P&) { return x * unit_clamp(x / 6 + 0.5); }
double gelu(double x, const P&) { return 0.5 * x * (1 + std::erf(x * std::sqrt(0.5))); }
double gelu_tanh(double x, const P&) {
  constexpr double root_of_two_over_pi = 0.79788456080286535588;
  return 0.5 * x * (1 + std::tanh(root_of_two_over_pi * (x + 0.044715 * x * x * x)));
}
double softplus_of(double x, const P&) { return std::isnan(x) ? x : softplus(x); }
double mish(double x, const P&) { return std::isnan(x) ? x : x * std::tanh(softplus(x)); }
double swish(double x, const P& p) { return x / (1 + std::exp(-p.a * x)); }
double softsign(double x, const P&) { return x / (1 + std::fabs(x)); }
double thresholded_relu(double x, const P& p) { return x > p.a ? x : 0; }
double shrink(double x, const P& p) { return x < -p.a ? x + p.b : x > p.a ? x - p.b : 0; }

// Gelu's two forms have rows of their own below.
constexpr FloatFunction functions[] = {
    {"Relu", "Relu", relu, cheap_grain},
    {"LeakyRelu", "LeakyRelu", leaky_relu, cheap_grain, {{{"alpha", 0.01f}}}},
    {"Elu", "Elu", elu, medium_grain, {{{"alpha", 1.0f}}}},
    {"Selu",
     "Selu",
     selu,
     medium_grain,
     {{{"alpha", 1.67326319217681884765625f}, {"gamma", 1.05070102214813232421875f}}}},
    {"Celu", "Celu", celu, medium_grain, {{{"alpha", 1.0f}}}},
    {"HardSigmoid", "HardSigmoid", hard_sigmoid, cheap_grain, {{{"alpha", 0.2f}, {"beta", 0.5f}}}},
    {"HardSwish", "HardSwish", hard_swish, cheap_grain},
    {"Softplus", "Softplus", softplus_of},
    {"Mish", "Mish", mish},
    {"Swish", "Swish", swish, medium_grain, {{{"alpha", 1.0f}}}},
    {"Softsign", "Softsign", softsign, cheap_grain},
    {"ThresholdedRelu", "ThresholdedRelu", thresholded_relu, cheap_grain, {{{"alpha", 1.0f}}}},
    {"Shrink", "", shrink, cheap_grain, {{{"lambd", 0.5f}, {"bias", 0.0f}}}},
};
constexpr FloatFunction gelu_function = {"Gelu", "Gelu", gelu};
constexpr FloatFunction gelu_tanh_function = {"Gelu", "Gelu/tanh", gelu_tanh};

const FloatFunction& function_of(const sy::Node& node) {
  if (node.op() == "Gelu") {
    return node.text("approximate", "none") == "tanh" ? gelu_tanh_function : gelu_function;
  }
  for (const FloatFunction& function : functions) {
    if (node.op() == function.op) return function;
  }
  throw sy::bug("no activation ", node.op());
}

Prepared make_float_activation(const sy::Node& node) {
  const FloatFunction& function = function_of(node);
  const sy_dtype dtype = node.needed_input(0).dtype;
  return unary_kernel(node, float_loop(function, read_parameters(function, node), dtype), true);
}

// Integers, by way of double.
Prepared make_integer_shrink(const sy::Node& node) {
  const FloatFunction& function = function_of(node);
  const sy_dtype dtype = node.needed_input(0).dtype;
  const Loop loop = float_loop(function, read_parameters(function, node), SY_FLOAT64);
  return unary_kernel(node, converted(loop, {SY_FLOAT64, SY_FLOAT64}, {dtype, dtype}), true);
}

// Relu of integers; unsigned ones stay as they are.
Prepared make_integer_relu(const sy::Node& node) {
  const Row row = visit_dtype(IntegerTypes{}, node.needed_input(0).dtype, [](auto zero) -> Row {
    using T = decltype(zero);
    constexpr auto positive = [](T x) { return std::max<T>(x, 0); };
    return unary_row<T, T, positive>;
  });
  return unary_kernel(node, {row, {}, cheap_grain}, true);
}

void check_gelu(const sy::Node& node) {
  const std::string_view form = node.text("approximate", "none");
  if (form != "none" && form != "tanh") {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "approximate is ", form,
                          "; this kernel knows none and tanh");
  }
}

std::vector<KernelRow> make_activation_rows() {
  std::vector<KernelRow> rows;
  for (const FloatFunction& function : functions) {
    rows.push_back({function.op, sy::float_dtypes, sy::float_dtypes, make_float_activation, nullptr,
                    any_strides});
  }
  rows.push_back(
      {"Gelu", sy::float_dtypes, sy::float_dtypes, make_float_activation, check_gelu, any_strides});
  rows.push_back(
      {"Relu", sy::integer_dtypes, sy::integer_dtypes, make_integer_relu, nullptr, any_strides});
  rows.push_back({"Shrink", sy::integer_dtypes, sy::integer_dtypes, make_integer_shrink, nullptr,
                  any_strides});
  return rows;
}

}  // namespace

KernelTable activation_kernels() {
  static const auto& rows = *new std::vector<KernelRow>(make_activation_rows());
  return rows;
}

}  // namespace cpu
