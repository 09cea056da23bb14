#include "kernels/elementwise/unary.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "kernels/elementwise/float_functions.hpp"
#include "kernels/kernels.hpp"
#include "loops/elementwise_kernel.hpp"
#include "loops/scalar_rows.hpp"
#include "types/dispatch.hpp"

namespace cpu {

Prepared unary_kernel(const sy::Node& node, Loop loop, bool may_alias) {
  Prepared made;
  made.outputs = {{.may_alias_inputs = may_alias ? 1u : 0u, .follows_layout = true}};
  made.kernel = std::make_unique<ElementwiseKernel>(std::move(loop), node, 1);
  return made;
}

namespace {

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
T positive_part(T x) {
  return std::max<T>(x, 0);
}
template <typename T>
T complement(T x) {
  return static_cast<T>(~x);
}

template <typename T>
InnerLoop integer_row(std::string_view op) {
  if (op == "Abs") return unary_row<T, T, absolute<T>>;
  if (op == "Neg") return unary_row<T, T, negative<T>>;
  if (op == "Sign") return unary_row<T, T, signum<T>>;
  if (op == "Relu") return unary_row<T, T, positive_part<T>>;
  if (op == "BitwiseNot") return unary_row<T, T, complement<T>>;
  throw sy::bug("no integer function ", op);
}

Prepared make_integer(const sy::Node& node) {
  const InnerLoop row = visit_dtype(IntegerTypes{}, node.required_input(0).dtype, [&](auto zero) {
    return integer_row<decltype(zero)>(node.op());
  });
  return unary_kernel(node, {row, {}, cheap_grain}, true);
}

// Functions that are written for real numbers alone, of integers: each passes through double.
Prepared make_by_double(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const FloatFunction& function = float_function(node.op());
  const Loop loop = float_loop(function, read_parameters(function, node), SY_FLOAT64);
  return unary_kernel(node, converted(loop, {SY_FLOAT64, SY_FLOAT64}, {dtype, dtype}), true);
}

// ---- of and to bool

Prepared make_not(const sy::Node& node) {
  constexpr auto invert = [](uint8_t x) { return static_cast<uint8_t>(x == 0); };
  return unary_kernel(node, {unary_row<uint8_t, uint8_t, invert>, {}, cheap_grain}, true);
}

bool is_infinite(double x) { return std::isinf(x); }
bool is_above(double x) { return std::isinf(x) && x > 0; }
bool is_below(double x) { return std::isinf(x) && x < 0; }
bool never(double) { return false; }

using Predicate = bool (*)(double);

template <Predicate predicate>
Prepared predicate_kernel(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const bool wide = dtype == SY_FLOAT64;
  const InnerLoop row =
      wide ? unary_row<double, bool, predicate> : unary_row<float, bool, predicate>;
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

std::vector<KernelRow> make_unary_rows() {
  constexpr uint64_t integers = sy::integer_dtypes;
  constexpr uint64_t with_float8 = sy::float_dtypes | SY_DTYPE_BIT(SY_FLOAT8E4M3FN) |
                                   SY_DTYPE_BIT(SY_FLOAT8E4M3FNUZ) | SY_DTYPE_BIT(SY_FLOAT8E5M2) |
                                   SY_DTYPE_BIT(SY_FLOAT8E5M2FNUZ);
  std::vector<KernelRow> rows;
  for (const char* op : {"Abs", "Neg", "Sign", "Relu", "BitwiseNot"}) {
    rows.push_back({op, integers, integers, make_integer, nullptr, any_strides});
  }
  for (const char* op : {"Erf", "Shrink"}) {
    rows.push_back({op, integers, integers, make_by_double, nullptr, any_strides});
  }
  rows.push_back({"Not", boolean_type, boolean_type, make_not, nullptr, any_strides});
  rows.push_back(
      {"IsNaN", with_float8, boolean_type, predicate_kernel<is_nan<double>>, nullptr, any_strides});
  rows.push_back({"IsInf", with_float8, boolean_type, make_is_inf, nullptr, any_strides});
  return rows;
}

}  // namespace

KernelTable unary_kernels() {
  static const auto& rows = *new std::vector<KernelRow>(make_unary_rows());
  return rows;
}

}  // namespace cpu
