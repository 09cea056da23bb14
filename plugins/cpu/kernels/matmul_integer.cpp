// Products of byte matrices: MatMulInteger and QLinearMatMul.
#include <algorithm>
#include <cmath>

#include "convert.hpp"
#include "elementwise.hpp"
#include "kernels.hpp"
#include "kernels/binary.hpp"
#include "kernels/gemm/multiply_tensors.hpp"
#include "kernels/quantized/whole_numbers.hpp"
#include "kernels/tensor_copy.hpp"
#include "kernels/unary.hpp"

namespace cpu {
namespace {

// A left operand's zero point or scale, as it broadcasts: one number for each row is a column.
Extended of_rows(const Tensor& numbers) {
  return Extended(numbers, numbers.rank() == 1 && numbers.shape[0] != 1 ? 2 : numbers.rank());
}

void multiply_bytes(Call& call, uint32_t left, uint32_t left_zero, uint32_t right,
                    uint32_t right_zero, const Tensor& sums) {
  const auto given = [&](uint32_t i) { return call.has_input(i) ? &call.input(i) : nullptr; };
  const Tensor* zero = given(left_zero);
  const Extended zeros = of_rows(zero == nullptr ? call.input(left) : *zero);
  const WholeNumbers a(call.input(left), zero == nullptr ? nullptr : &zeros.get());
  const WholeNumbers b(call.input(right), given(right_zero));
  multiply_tensors(a.tensor(), b.tensor(), sums);
}

Prepared make_matmul_integer(const sy::Node&) {
  Prepared made;
  made.run = [](Call& call) { multiply_bytes(call, 0, 2, 1, 3, call.output(0)); };
  return made;
}

// ---- QLinearMatMul: a, its scale, its zero point, b, ..., y's scale, y's zero point

// Real numbers of a quantised tensor, in `real`.
void dequantize(const Tensor& x, const Tensor& scale, const Tensor& zero, const Tensor& real) {
  const sy_dtype f = SY_FLOAT32;
  run_elementwise({&x, &zero, &real},
                  converted(arithmetic_loop("Sub", f), {f, f, f}, {x.dtype, zero.dtype, f}));
  run_elementwise({&real, &scale, &real},
                  converted(arithmetic_loop("Mul", f), {f, f, f}, {f, scale.dtype, f}));
}

bool is_byte(sy_dtype dtype) { return dtype == SY_INT8 || dtype == SY_UINT8; }

// Rounds real numbers to whole ones, ties to even, and into y's type.
void quantize(const Tensor& real, float scale, const Tensor& zero, const Tensor& y) {
  const Scratch<float> numbers(real.size());
  const ContiguousTensor room(SY_FLOAT32, numbers.data(), real.shape);
  copy_tensor(real, room.get());
  const float shift = floats_of(zero)[0];
  const bool whole = is_byte(y.dtype);
  for (int64_t i = 0; i < real.size(); ++i) {
    const float number = numbers[i] / scale;
    numbers[i] = (whole ? std::nearbyint(number) : number) + shift;
  }
  copy_tensor(room.get(), y);
}

void multiply_reals(Call& call) {
  const Tensor& a = call.input(0);
  const Tensor& b = call.input(3);
  const Tensor& y = call.output(0);
  const Scratch<float> left(a.size()), right(b.size()), product(y.size());
  const ContiguousTensor x(SY_FLOAT32, left.data(), a.shape);
  const ContiguousTensor w(SY_FLOAT32, right.data(), b.shape);
  const ContiguousTensor made(SY_FLOAT32, product.data(), y.shape);
  dequantize(a, of_rows(call.input(1)).get(), of_rows(call.input(2)).get(), x.get());
  dequantize(b, call.input(4), call.input(5), w.get());
  multiply_tensors(x.get(), w.get(), made.get());
  quantize(made.get(), floats_of(call.input(6))[0], call.input(7), y);
}

// Scales of rows and columns that a Requantization has room for: one, or one for each.
bool has_simple_scales(Call& call) {
  const Tensor& left = call.input(1);
  const Tensor& right = call.input(4);
  return left.rank() <= 1 && right.rank() <= 1 && call.input(0).rank() > 1 &&
         call.input(3).rank() > 1;
}

void multiply_quantized(Call& call) {
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  const bool bytes =
      is_byte(call.input(0).dtype) && is_byte(call.input(3).dtype) && is_byte(y.dtype);
  if (!bytes || !has_simple_scales(call)) return multiply_reals(call);
  const Scratch<int32_t> sums(y.size());
  multiply_bytes(call, 0, 2, 3, 5, ContiguousTensor(SY_INT32, sums.data(), y.shape).get());
  Requantization how{floats_of(call.input(1)), floats_of(call.input(4)),
                     static_cast<int32_t>(floats_of(call.input(7))[0])};
  const float scale = floats_of(call.input(6))[0];
  for (float& factor : how.row_factors) factor /= scale;
  requantize(sums.data(), y.shape[y.rank() - 1], how, y);
}

Prepared make_qlinear_matmul(const sy::Node&) {
  Prepared made;
  made.run = multiply_quantized;
  return made;
}

constexpr uint64_t bytes = SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8);
constexpr uint64_t float8 = SY_DTYPE_BIT(SY_FLOAT8E4M3FN) | SY_DTYPE_BIT(SY_FLOAT8E4M3FNUZ) |
                            SY_DTYPE_BIT(SY_FLOAT8E5M2) | SY_DTYPE_BIT(SY_FLOAT8E5M2FNUZ);
constexpr uint64_t scales =
    SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16) | SY_DTYPE_BIT(SY_BFLOAT16);

constexpr KernelRow rows[] = {
    {"MatMulInteger", bytes, SY_DTYPE_BIT(SY_INT32), make_matmul_integer, nullptr, any_strides},
    {"QLinearMatMul", bytes | float8 | scales, bytes | float8, make_qlinear_matmul, nullptr,
     any_strides},
};

}  // namespace

KernelTable matmul_integer_kernels() { return rows; }

}  // namespace cpu
