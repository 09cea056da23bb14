#include <string_view>
#include <type_traits>

#include "kernels/elementwise/binary.hpp"
#include "kernels/kernels.hpp"
#include "loops/scalar_rows.hpp"
#include "simd/vector_rows.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

// ---- comparisons; with NaN they are false

template <typename T>
bool equal(T x, T y) {
  return x == y;
}
template <typename T>
bool less(T x, T y) {
  return x < y;
}
template <typename T>
bool less_or_equal(T x, T y) {
  return x <= y;
}

template <typename T>
InnerLoop comparison_row(std::string_view op) {
  const bool is_strict = op == "Less" || op == "Greater";
  if constexpr (std::is_same_v<T, float>) {
    return vector_comparison_row(op == "Equal" ? op : is_strict ? "Less" : "LessOrEqual");
  } else {
    if (op == "Equal") return binary_row<T, T, bool, equal<T>>;
    return is_strict ? binary_row<T, T, bool, less<T>> : binary_row<T, T, bool, less_or_equal<T>>;
  }
}

Prepared make_comparison(const sy::Node& node) {
  const std::string_view op = node.op();
  const sy_dtype dtype = node.required_input(0).dtype;
  sy_dtype inner = dtype;
  if (dtype == SY_BOOL) inner = SY_UINT8;
  if (dtype == SY_FLOAT16 || dtype == SY_BFLOAT16) inner = SY_FLOAT32;
  const InnerLoop row =
      visit_dtype(TypeList<float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                           uint32_t, uint64_t>{},
                  inner, [&](auto zero) { return comparison_row<decltype(zero)>(op); });
  const bool swapped = op == "Greater" || op == "GreaterOrEqual";
  const Loop loop{row, {}, cheap_grain};
  return binary_kernel(node, converted(loop, {inner, inner, SY_BOOL}, {dtype, dtype, SY_BOOL}),
                       sy::dtype_bytes(dtype) == 1, swapped);
}

// ---- logic

uint8_t both(uint8_t x, uint8_t y) { return x != 0 && y != 0; }
uint8_t either(uint8_t x, uint8_t y) { return x != 0 || y != 0; }
uint8_t one_of(uint8_t x, uint8_t y) { return (x != 0) != (y != 0); }

template <auto function>
Prepared make_logic(const sy::Node& node) {
  return binary_kernel(node, {binary_row<uint8_t, uint8_t, uint8_t, function>, {}, cheap_grain},
                       true);
}

// ---- bits

template <typename T>
T bits_and(T x, T y) {
  return static_cast<T>(x & y);
}
template <typename T>
T bits_or(T x, T y) {
  return static_cast<T>(x | y);
}
template <typename T>
T bits_xor(T x, T y) {
  return static_cast<T>(x ^ y);
}

// Bits shifted out are gone, all of them if need be.
template <typename T>
T shift_left(T x, T by) {
  return by < sizeof(T) * 8 ? static_cast<T>(x << by) : T{0};
}
template <typename T>
T shift_right(T x, T by) {
  return by < sizeof(T) * 8 ? static_cast<T>(x >> by) : T{0};
}

template <typename T>
InnerLoop bits_row(std::string_view op, bool left) {
  if (op == "BitwiseAnd") return binary_row<T, T, T, bits_and<T>>;
  if (op == "BitwiseOr") return binary_row<T, T, T, bits_or<T>>;
  if (op == "BitwiseXor") return binary_row<T, T, T, bits_xor<T>>;
  return left ? binary_row<T, T, T, shift_left<T>> : binary_row<T, T, T, shift_right<T>>;
}

InnerLoop bits_row_of_size(size_t bytes, std::string_view op, bool left) {
  switch (bytes) {
    case 1: return bits_row<uint8_t>(op, left);
    case 2: return bits_row<uint16_t>(op, left);
    case 4: return bits_row<uint32_t>(op, left);
    default: return bits_row<uint64_t>(op, left);
  }
}

Prepared make_bits(const sy::Node& node) {
  const bool left = node.text("direction", "LEFT") == "LEFT";
  const InnerLoop row =
      bits_row_of_size(sy::dtype_bytes(node.required_input(0).dtype), node.op(), left);
  return binary_kernel(node, {row, {}, cheap_grain}, true);
}

constexpr KernelRow comparison_rows[] = {
    {"Equal", numeric_types | boolean_type, boolean_type, make_comparison, nullptr, any_strides},
    {"Less", numeric_types, boolean_type, make_comparison, nullptr, any_strides},
    {"Greater", numeric_types, boolean_type, make_comparison, nullptr, any_strides},
    {"LessOrEqual", numeric_types, boolean_type, make_comparison, nullptr, any_strides},
    {"GreaterOrEqual", numeric_types, boolean_type, make_comparison, nullptr, any_strides},
    {"And", boolean_type, boolean_type, make_logic<both>, nullptr, any_strides},
    {"Or", boolean_type, boolean_type, make_logic<either>, nullptr, any_strides},
    {"Xor", boolean_type, boolean_type, make_logic<one_of>, nullptr, any_strides},
    {"BitwiseAnd", sy::integer_dtypes, sy::integer_dtypes, make_bits, nullptr, any_strides},
    {"BitwiseOr", sy::integer_dtypes, sy::integer_dtypes, make_bits, nullptr, any_strides},
    {"BitwiseXor", sy::integer_dtypes, sy::integer_dtypes, make_bits, nullptr, any_strides},
    {"BitShift", sy::unsigned_dtypes, sy::unsigned_dtypes, make_bits, nullptr, any_strides},
};

}  // namespace

KernelTable comparison_kernels() { return comparison_rows; }

}  // namespace cpu
