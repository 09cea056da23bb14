#include "kernels/elementwise/unary.hpp"
#include "loops/elementwise_kernel.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "kernels/kernels.hpp"
#include "loops/scalar_rows.hpp"
#include "simd/vector_rows.hpp"
#include "types/dispatch.hpp"

namespace cpu {

// ---- of floating numbers

namespace {

struct ExactParameters {
  double (*exact)(double, const UnaryParameters&);
  UnaryParameters numbers;
};

template <typename T>
void exact_row(char* const* data, const int64_t* steps, int64_t count, const void* parameters) {
  const auto& self = *static_cast<const ExactParameters*>(parameters);
  for (int64_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(element_at<T>(data[0] + i * steps[0]));
    element_at<T>(data[1] + i * steps[1]) = static_cast<T>(self.exact(x, self.numbers));
  }
}

Loop exact_loop(Row row, const FloatFunction& function, const UnaryParameters& parameters) {
  return {row, std::make_shared<ExactParameters>(ExactParameters{function.exact, parameters}),
          expensive_grain};
}

}  // namespace

Loop float_loop(const FloatFunction& function, const UnaryParameters& parameters, sy_dtype dtype) {
  if (dtype == SY_FLOAT64) return exact_loop(exact_row<double>, function, parameters);
  const Row vector = vector_unary_row(function.vector);
  const Loop loop = vector != nullptr ? Loop{vector, std::make_shared<UnaryParameters>(parameters),
                                             function.grain}
                                      : exact_loop(exact_row<float>, function, parameters);
  return converted(loop, {SY_FLOAT32, SY_FLOAT32}, {dtype, dtype});
}

UnaryParameters read_parameters(const FloatFunction& function, const sy::Node& node) {
  UnaryParameters parameters;
  const auto read = [&](const FloatFunction::Number& number) -> double {
    return number.attribute == nullptr ? 0 : node.real(number.attribute, number.otherwise);
  };
  parameters.a = read(function.numbers[0]);
  parameters.b = read(function.numbers[1]);
  return parameters;
}

Prepared unary_kernel(const sy::Node& node, Loop loop, bool may_alias) {
  Prepared made;
  made.outputs = {{.may_alias_inputs = may_alias ? 1u : 0u, .follows_layout = true}};
  made.elementwise = std::make_shared<ElementwiseKernel>(std::move(loop), node, 1);
  return made;
}

namespace {

using P = UnaryParameters;

double sign_of(double x, const P&) { return x > 0 ? 1 : x < 0 ? -1 : x; }

constexpr FloatFunction float_functions[] = {
    {"Abs", "Abs", [](double x, const P&) { return std::fabs(x); }, cheap_grain},
    {"Neg", "Neg", [](double x, const P&) { return -x; }, cheap_grain},
    {"Sign", "Sign", sign_of, cheap_grain},
    {"Floor", "Floor", [](double x, const P&) { return std::floor(x); }, cheap_grain},
    {"Ceil", "Ceil", [](double x, const P&) { return std::ceil(x); }, cheap_grain},
    {"Round", "Round", [](double x, const P&) { return std::nearbyint(x); }, cheap_grain},
    {"Sqrt", "Sqrt", [](double x, const P&) { return std::sqrt(x); }, cheap_grain},
    {"Reciprocal", "Reciprocal", [](double x, const P&) { return 1 / x; }, cheap_grain},
    {"Exp", "Exp", [](double x, const P&) { return std::exp(x); }},
    {"Log", "Log", [](double x, const P&) { return std::log(x); }},
    {"Sin", "Sin", [](double x, const P&) { return std::sin(x); }},
    {"Cos", "Cos", [](double x, const P&) { return std::cos(x); }},
    {"Tan", "Tan", [](double x, const P&) { return std::tan(x); }},
    {"Asin", "Asin", [](double x, const P&) { return std::asin(x); }},
    {"Acos", "Acos", [](double x, const P&) { return std::acos(x); }},
    {"Atan", "Atan", [](double x, const P&) { return std::atan(x); }},
    {"Sinh", "Sinh", [](double x, const P&) { return std::sinh(x); }},
    {"Cosh", "Cosh", [](double x, const P&) { return std::cosh(x); }},
    {"Tanh", "Tanh", [](double x, const P&) { return std::tanh(x); }},
    {"Asinh", "Asinh", [](double x, const P&) { return std::asinh(x); }},
    {"Acosh", "Acosh", [](double x, const P&) { return std::acosh(x); }},
    {"Atanh", "Atanh", [](double x, const P&) { return std::atanh(x); }},
    {"Erf", "Erf", [](double x, const P&) { return std::erf(x); }},
    {"Sigmoid", "Sigmoid", [](double x, const P&) { return 1 / (1 + std::exp(-x)); }},
};

// Of the domain "switchyard".
constexpr FloatFunction own_functions[] = {
    {"Exp2", "Exp2", [](double x, const P&) { return std::exp2(x); }},
    {"Expm1", "Expm1", [](double x, const P&) { return std::expm1(x); }},
    {"Log1p", "Log1p", [](double x, const P&) { return std::log1p(x); }},
    {"Log2", "Log2", [](double x, const P&) { return std::log2(x); }},
    {"Log10", "Log10", [](double x, const P&) { return std::log10(x); }},
    {"Rsqrt", "Rsqrt", [](double x, const P&) { return 1 / std::sqrt(x); }, cheap_grain},
    {"Trunc", "Trunc", [](double x, const P&) { return std::trunc(x); }, cheap_grain},
};

const FloatFunction& function_named(std::string_view op) {
  for (const std::span<const FloatFunction> functions :
       {std::span<const FloatFunction>(float_functions),
        std::span<const FloatFunction>(own_functions)}) {
    for (const FloatFunction& function : functions) {
      if (op == function.op) return function;
    }
  }
  throw sy::bug("no float function ", op);
}

Prepared make_float(const sy::Node& node) {
  const FloatFunction& function = function_named(node.op());
  const sy_dtype dtype = node.needed_input(0).dtype;
  return unary_kernel(node, float_loop(function, read_parameters(function, node), dtype), true);
}

// Of integers, by way of double.
Prepared make_integer_by_double(const sy::Node& node) {
  const sy_dtype dtype = node.needed_input(0).dtype;
  const Loop loop = float_loop(function_named(node.op()), {}, SY_FLOAT64);
  return unary_kernel(node, converted(loop, {SY_FLOAT64, SY_FLOAT64}, {dtype, dtype}), true);
}

// ---- of integers; they wrap, so that the smallest number is its own negative

template <typename T>
T negative(T x) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(U{0} - static_cast<U>(x));
}
template <typename T>
T absolute(T x) {
  if constexpr (std::is_signed_v<T>) return x < 0 ? negative(x) : x;
  return x;
}
template <typename T>
T signum(T x) {
  return static_cast<T>((x > 0) - (x < 0));
}
template <typename T>
T complement(T x) {
  return static_cast<T>(~x);
}

template <typename T>
Row integer_row(std::string_view op) {
  if (op == "Abs") return unary_row<T, T, absolute<T>>;
  if (op == "Neg") return unary_row<T, T, negative<T>>;
  if (op == "Sign") return unary_row<T, T, signum<T>>;
  if (op == "BitwiseNot") return unary_row<T, T, complement<T>>;
  throw sy::bug("no integer function ", op);
}

Prepared make_integer(const sy::Node& node) {
  const Row row = visit_dtype(IntegerTypes{}, node.needed_input(0).dtype,
                              [&](auto zero) { return integer_row<decltype(zero)>(node.op()); });
  return unary_kernel(node, {row, {}, cheap_grain}, true);
}

// ---- of and to bool

Prepared make_not(const sy::Node& node) {
  constexpr auto invert = [](uint8_t x) { return static_cast<uint8_t>(x == 0); };
  return unary_kernel(node, {unary_row<uint8_t, uint8_t, invert>, {}, cheap_grain}, true);
}

bool is_nan(double x) { return std::isnan(x); }
bool is_infinite(double x) { return std::isinf(x); }
bool is_above(double x) { return std::isinf(x) && x > 0; }
bool is_below(double x) { return std::isinf(x) && x < 0; }
bool never(double) { return false; }

using Predicate = bool (*)(double);

template <Predicate predicate>
Prepared predicate_kernel(const sy::Node& node) {
  const sy_dtype dtype = node.needed_input(0).dtype;
  const bool wide = dtype == SY_FLOAT64;
  const Row row = wide ? unary_row<double, bool, predicate> : unary_row<float, bool, predicate>;
  const sy_dtype inner = wide ? SY_FLOAT64 : SY_FLOAT32;
  return unary_kernel(node, converted({row, {}, cheap_grain}, {inner, SY_BOOL}, {dtype, SY_BOOL}),
                      false);
}

Prepared make_is_inf(const sy::Node& node) {
  const bool above = node.flag("detect_positive", true);
  const bool below = node.flag("detect_negative", true);
  if (above && below) return predicate_kernel<is_infinite>(node);
  if (above) return predicate_kernel<is_above>(node);
  if (below) return predicate_kernel<is_below>(node);
  return predicate_kernel<never>(node);
}

std::vector<KernelRow> make_rows() {
  constexpr uint64_t integers = sy::integer_dtypes;
  constexpr uint64_t with_float8 = sy::float_dtypes | SY_DTYPE_BIT(SY_FLOAT8E4M3FN) |
                                   SY_DTYPE_BIT(SY_FLOAT8E4M3FNUZ) | SY_DTYPE_BIT(SY_FLOAT8E5M2) |
                                   SY_DTYPE_BIT(SY_FLOAT8E5M2FNUZ);
  std::vector<KernelRow> rows;
  for (const FloatFunction& function : float_functions) {
    rows.push_back(
        {function.op, sy::float_dtypes, sy::float_dtypes, make_float, nullptr, any_strides});
  }
  for (const FloatFunction& function : own_functions) {
    rows.push_back({function.op, sy::float_dtypes, sy::float_dtypes, make_float, nullptr,
                    any_strides, "switchyard"});
  }
  for (const char* op : {"Abs", "Neg", "Sign", "BitwiseNot"}) {
    rows.push_back({op, integers, integers, make_integer, nullptr, any_strides});
  }
  rows.push_back({"Erf", integers, integers, make_integer_by_double, nullptr, any_strides});
  rows.push_back({"Not", boolean_type, boolean_type, make_not, nullptr, any_strides});
  rows.push_back(
      {"IsNaN", with_float8, boolean_type, predicate_kernel<is_nan>, nullptr, any_strides});
  rows.push_back({"IsInf", with_float8, boolean_type, make_is_inf, nullptr, any_strides});
  return rows;
}

}  // namespace

KernelTable unary_kernels() {
  static const auto& rows = *new std::vector<KernelRow>(make_rows());
  return rows;
}

}  // namespace cpu
