#include "kernels/elementwise/float_functions.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "kernels/elementwise/digamma.hpp"
#include "kernels/elementwise/erfinv.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/scalar_rows.hpp"
#include "simd/vector_rows.hpp"

namespace cpu {
namespace {

// ---- what the rows below name

constexpr std::array<FloatFunction::Number, 2> none() { return {}; }
constexpr std::array<FloatFunction::Number, 2> number(const char* attribute, float otherwise) {
  return {{{attribute, otherwise}}};
}
constexpr std::array<FloatFunction::Number, 2> numbers(const char* first, float otherwise_first,
                                                       const char* second, float otherwise_second) {
  return {{{first, otherwise_first}, {second, otherwise_second}}};
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
double positive_part(double x) { return x < 0 ? 0 : x; }  // NaN stays
double unit_clamp(double x) { return positive_part(x > 1 ? 1 : x); }
double softplus(double x) { return positive_part(x) + std::log1p(std::exp(-std::fabs(x))); }
double tanh_gelu(double x) {
  constexpr double root_of_two_over_pi = 0.79788456080286535588;
  return 0.5 * x * (1 + std::tanh(root_of_two_over_pi * (x + 0.044715 * x * x * x)));
}

// std::lgamma writes the sign to a variable that all threads share.
double log_of_gamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

using P = UnaryParameters;

#define FLOAT_FUNCTION(op, domain, grain, numbers, exact, is_form)        \
  {#op,                                                                   \
   domain,                                                                \
   grain##_grain,                                                         \
   numbers,                                                               \
   [](double x, [[maybe_unused]] const P& n) -> double { return exact; }, \
   is_form},
#define FUNCTION(op, domain, grain, numbers, vector, exact) \
  FLOAT_FUNCTION(op, domain, grain, numbers, exact, false)
#define FORM(op, domain, grain, numbers, vector, exact) \
  FLOAT_FUNCTION(op, domain, grain, numbers, exact, true)
constexpr FloatFunction all_functions[] = {
#include "simd/unary_functions.def"
};
#undef FORM
#undef FUNCTION
#undef FLOAT_FUNCTION

// ---- loops

struct ExactParameters {
  double (*exact)(double, const UnaryParameters&);
  UnaryParameters numbers;
};

void exact_row(char* const* data, const int64_t* steps, int64_t count, const void* parameters) {
  const auto& self = *static_cast<const ExactParameters*>(parameters);
  for (int64_t i = 0; i < count; ++i) {
    const double x = element_at<double>(data[0] + i * steps[0]);
    element_at<double>(data[1] + i * steps[1]) = self.exact(x, self.numbers);
  }
}

}  // namespace

std::span<const FloatFunction> float_functions() { return all_functions; }

const FloatFunction& float_function(std::string_view name) {
  for (const FloatFunction& function : all_functions) {
    if (function.name == name) return function;
  }
  throw sy::bug("no float function ", name);
}

UnaryParameters read_parameters(const FloatFunction& function, const sy::Node& node) {
  const auto read = [&](const FloatFunction::Number& number) -> double {
    return number.attribute == nullptr ? 0 : node.real(number.attribute, number.otherwise);
  };
  return {read(function.numbers[0]), read(function.numbers[1])};
}

Loop float_loop(const FloatFunction& function, const UnaryParameters& parameters, sy_dtype dtype) {
  if (dtype == SY_FLOAT64) {
    return {exact_row,
            std::make_shared<ExactParameters>(ExactParameters{function.exact, parameters}),
            expensive_grain};
  }
  const Loop loop{vector_unary_row(function.name), std::make_shared<UnaryParameters>(parameters),
                  function.grain};
  return converted(loop, {SY_FLOAT32, SY_FLOAT32}, {dtype, dtype});
}

namespace {

Prepared kernel_of(const FloatFunction& function, const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  return unary_kernel(node, float_loop(function, read_parameters(function, node), dtype), true);
}

Prepared make_float_function(const sy::Node& node) {
  return kernel_of(float_function(node.op()), node);
}

// ---- Gelu has two forms

bool is_tanh_gelu(const sy::Node& node) { return node.text("approximate", "none") == "tanh"; }

void check_gelu(const sy::Node& node) {
  const std::string_view form = node.text("approximate", "none");
  if (form != "none" && form != "tanh") {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "approximate is ", form,
                          "; this kernel knows none and tanh");
  }
}

Prepared make_gelu(const sy::Node& node) {
  return kernel_of(float_function(is_tanh_gelu(node) ? "TanhGelu" : "Gelu"), node);
}

std::vector<KernelRow> make_float_function_rows() {
  std::vector<KernelRow> rows;
  for (const FloatFunction& function : all_functions) {
    if (function.is_form) continue;
    const bool is_gelu = function.name == "Gelu";
    rows.push_back({function.name.data(), sy::float_dtypes, sy::float_dtypes,
                    is_gelu ? make_gelu : make_float_function, is_gelu ? check_gelu : nullptr,
                    any_strides, function.domain});
  }
  return rows;
}

}  // namespace

KernelTable float_function_kernels() {
  static const auto& rows = *new std::vector<KernelRow>(make_float_function_rows());
  return rows;
}

}  // namespace cpu
