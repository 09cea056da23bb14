// Products of byte matrices: MatMulInteger and QLinearMatMul.
#include <cmath>

#include "kernels/elementwise/binary_functions.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/products/multiply_tensors.hpp"
#include "kernels/quantized/byte_operands.hpp"
#include "kernels/quantized/integer_operand.hpp"
#include "loops/convert.hpp"
#include "loops/elementwise.hpp"
#include "loops/tensor_copy.hpp"

namespace cpu {
namespace {

using Weights = std::shared_ptr<const ByteMatrix>;

// A left operand's zero point or scale, as it broadcasts: one number for each row is a column.
Extended of_rows(const ConstTensor& numbers) {
  return Extended(numbers, numbers.rank() == 1 && numbers.shape[0] != 1 ? 2 : numbers.rank());
}

// The operands of a product of bytes; zero points may be null.
struct Operands {
  const ConstTensor& left;
  const ConstTensor* left_zero;
  const ConstTensor& right;
  const ConstTensor* right_zero;

  int64_t depth() const { return right.shape[0]; }
  int64_t columns() const { return right.shape[1]; }
  int64_t rows() const { return left.size() / depth(); }

  // One matrix on the right, and numbers for whole operands, rows and columns.
  bool are_rows_by_matrix() const {
    if (right.rank() != 2 || left.rank() == 0 || left.size() == 0 || right.size() == 0) {
      return false;
    }
    return are_of_rows(left_zero) && are_of_columns(right_zero);
  }

  bool are_of_rows(const ConstTensor* numbers) const {
    if (numbers == nullptr || numbers->size() == 1) return true;
    if (numbers->size() != rows()) return false;
    return numbers->rank() == 1 ? left.rank() == 2
                                : numbers->rank() == left.rank() && numbers->shape.back() == 1;
  }

  bool are_of_columns(const ConstTensor* numbers) const {
    if (numbers == nullptr || numbers->size() == 1) return true;
    return numbers->rank() == 1 && numbers->size() == columns();
  }
};

Weights pack_matrix(const ConstTensor& tensor) {
  const ByteView view{tensor.data, tensor.dtype == SY_INT8, tensor.strides[0], tensor.strides[1]};
  return pack_bytes(view, tensor.shape[0], tensor.shape[1]);
}

Weights pack_constant_matrix(const sy_value& right) {
  if (right.rank != 2) return nullptr;
  return std::static_pointer_cast<const ByteMatrix>(
      packed_bytes(right, "bytes/right", pack_matrix));
}

// `constant` is the packed right matrix, or null. What scales sums is in `result` already.
void multiply_rows(const Operands& of, const Weights& constant, ByteResult result) {
  const Weights weights = constant != nullptr ? constant : pack_matrix(of.right);
  const int32_t left_shift = unsigned_shift(of.left.dtype == SY_INT8);
  const int32_t right_shift = signed_shift(of.right.dtype == SY_INT8);
  const std::vector<int32_t> left_zeros =
      of.left_zero == nullptr ? std::vector{left_shift} : integers_of(*of.left_zero, left_shift);
  const std::vector<int32_t> right_zeros =
      for_columns(of.right_zero == nullptr ? std::vector{right_shift}
                                           : integers_of(*of.right_zero, right_shift),
                  of.columns());
  const UnsignedBytes left(of.left, sy::contiguous_strides(of.left.shape));
  result.row_step = of.columns();
  result.left_zeros = each_of(left_zeros);
  result.right_zeros = unless_zero(right_zeros);
  multiply_bytes({of.rows(), of.depth(), left.data()}, *weights, result);
}

// Whatever else broadcasts.
void multiply_widened(const Operands& of, const Tensor& sums) {
  const Extended zeros = of_rows(of.left_zero == nullptr ? of.left : *of.left_zero);
  const IntegerOperand a(of.left, of.left_zero == nullptr ? nullptr : &zeros.get());
  const IntegerOperand b(of.right, of.right_zero);
  multiply_tensors(a.tensor(), b.tensor(), sums);
}

void multiply_integers(Call& call, const Weights& weights) {
  const Operands of{call.input(0), call.input_or_null(2), call.input(1), call.input_or_null(3)};
  if (!of.are_rows_by_matrix()) return multiply_widened(of, call.output(0));
  const Tensor& output = call.output(0);
  const DenseOutput y(output, sy::contiguous_strides(output.shape));
  multiply_rows(of, weights, {y.data(), 0, {}});
  y.write_back();
}

Prepared with_weights(const sy::Node& node, uint32_t input, void (*run)(Call&, const Weights&)) {
  const Weights weights = pack_constant_matrix(node.required_input(input));
  Prepared made;
  if (weights != nullptr) made.packed = {{input, weights, weights->bytes()}};
  made.kernel = function_kernel([weights, run](Call& call) { run(call, weights); });
  return made;
}

Prepared make_matmul_integer(const sy::Node& node) {
  return with_weights(node, 1, multiply_integers);
}

// ---- QLinearMatMul: a, its scale, its zero point, b, ..., y's scale, y's zero point

// Real numbers of a quantized tensor, in `real`.
void dequantize(const ConstTensor& x, const ConstTensor& scale, const ConstTensor& zero,
                const Tensor& real) {
  const sy_dtype f = SY_FLOAT32;
  run_elementwise({x, zero}, real,
                  converted(binary_function_loop("Sub", f), {f, f, f}, {x.dtype, zero.dtype, f}));
  run_elementwise({real, scale}, real,
                  converted(binary_function_loop("Mul", f), {f, f, f}, {f, scale.dtype, f}));
}

// Rounds real numbers to whole ones, ties to even, and into y's type.
void quantize(const Tensor& real, float scale, const ConstTensor& zero, const Tensor& y) {
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
  const ConstTensor& a = call.input(0);
  const ConstTensor& b = call.input(3);
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
  const ConstTensor& left = call.input(1);
  const ConstTensor& right = call.input(4);
  return left.rank() <= 1 && right.rank() <= 1 && call.input(0).rank() > 1 &&
         call.input(3).rank() > 1;
}

void multiply_quantized(Call& call, const Weights& weights) {
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  const bool bytes =
      is_byte(call.input(0).dtype) && is_byte(call.input(3).dtype) && is_byte(y.dtype);
  if (!bytes || !has_simple_scales(call)) return multiply_reals(call);
  const Operands of{call.input(0), &call.input(2), call.input(3), &call.input(5)};
  Requantization how{floats_of(call.input(1)), floats_of(call.input(4)),
                     integers_of(call.input(7), 0)[0]};
  const float scale = floats_of(call.input(6))[0];
  for (float& factor : how.row_factors) factor /= scale;
  const bool by_rows = of.are_rows_by_matrix() && of.are_of_rows(&call.input(1)) &&
                       of.are_of_columns(&call.input(4));
  if (!by_rows) {
    const Scratch<int32_t> sums(y.size());
    multiply_widened(of, ContiguousTensor(SY_INT32, sums.data(), y.shape).get());
    return requantize(sums.data(), y.shape[y.rank() - 1], how, y);
  }
  const std::vector<float> columns = for_columns(how.column_factors, of.columns());
  const DenseOutput dense(y, sy::contiguous_strides(y.shape));
  ByteResult result{dense.data(), 0, {}};
  result.row_factors = each_of(how.row_factors);
  result.column_factors = columns.data();
  result.zero_point = how.zero_point;
  result.is_signed = y.dtype == SY_INT8;
  multiply_rows(of, weights, result);
  dense.write_back();
}

Prepared make_qlinear_matmul(const sy::Node& node) {
  return with_weights(node, 3, multiply_quantized);
}

constexpr uint64_t float8 = SY_DTYPE_BIT(SY_FLOAT8E4M3FN) | SY_DTYPE_BIT(SY_FLOAT8E4M3FNUZ) |
                            SY_DTYPE_BIT(SY_FLOAT8E5M2) | SY_DTYPE_BIT(SY_FLOAT8E5M2FNUZ);

constexpr KernelRow matmul_integer_rows[] = {
    {"MatMulInteger", byte_types, SY_DTYPE_BIT(SY_INT32), make_matmul_integer, nullptr,
     any_strides},
    {"QLinearMatMul", byte_types | float8 | up_to_float32, byte_types | float8, make_qlinear_matmul,
     nullptr, any_strides},
};

}  // namespace

KernelTable matmul_integer_kernels() { return matmul_integer_rows; }

}  // namespace cpu
