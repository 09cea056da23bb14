// QLinearAdd, QLinearMul, QLinearSigmoid, QLinearLeakyRelu and QLinearConcat of com.microsoft: ops
// on bytes, each of which stands for a real number by its tensor's scale and zero point.
#include "kernels/elementwise/float_functions.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "kernels/quantized/byte_arithmetic.hpp"
#include "kernels/quantized/byte_operands.hpp"
#include "simd/vector_rows.hpp"

namespace cpu {
namespace {

// Input `i`, a scale, and the zero point after it, which may be left out.
ByteScale byte_scale(const Call& call, uint32_t i) {
  const ConstTensor& scale = call.input(i);
  if (scale.size() != 1) throw sy::invalid("input ", i, ", a scale, must be one number");
  ByteScale made{*scale.as<float>(), 0};
  if (!call.has_input(i + 1)) return made;
  const ConstTensor& zero = call.input(i + 1);
  if (zero.size() != 1) throw sy::invalid("input ", i + 1, ", a zero point, must be one number");
  made.zero = zero.dtype == SY_INT8 ? *zero.as<int8_t>() : *zero.as<uint8_t>();
  return made;
}

// For the time of one run, which its caller outlives.
std::shared_ptr<const void> borrowed(const void* parameters) {
  return {std::shared_ptr<const void>(), parameters};
}

// ---- of two tensors

Prepared make_binary(InnerLoop row) {
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1u << 0 | 1u << 3, .follows_layout = true}};
  made.kernel = function_kernel([row](Call& call) {
    const ByteScales scales{byte_scale(call, 1), byte_scale(call, 4), byte_scale(call, 6)};
    run_elementwise({call.input(0), call.input(3)}, call.output(0),
                    {row, borrowed(&scales), medium_grain});
  });
  return made;
}

Prepared make_byte_sum(const sy::Node& node) {
  return make_binary(byte_sum_row(node.required_output(0).dtype));
}

Prepared make_byte_product(const sy::Node& node) {
  return make_binary(byte_product_row(node.required_output(0).dtype));
}

// ---- of each byte alone

void map_bytes(const ConstTensor& x, const ByteTable& table, const Tensor& y) {
  run_elementwise({x}, y, {byte_table_row(), borrowed(&table), cheap_grain});
}

// The function that the op's name has after QLinear.
Prepared make_byte_function(const sy::Node& node) {
  const FloatFunction& function =
      float_function(node.op().substr(std::string_view("QLinear").size()));
  const InnerLoop row = vector_unary_row(function.name);
  const UnaryParameters parameters = read_parameters(function, node);
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1, .follows_layout = true}};
  made.kernel = function_kernel([=](Call& call) {
    const Tensor& y = call.output(0);
    const ByteScale from = byte_scale(call, 1), to = byte_scale(call, 3);
    map_bytes(call.input(0), byte_table(y.dtype, from, to, row, &parameters), y);
  });
  return made;
}

// ---- QLinearConcat: the result's scale and zero point, then tensors, each with its own

Prepared make_byte_concat(const sy::Node& node) {
  const int64_t axis = node.integer("axis");
  const uint32_t count = node.input_count();
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel([axis, count](Call& call) {
    const Tensor& y = call.output(0);
    const size_t at = normalize_axis(axis, y.rank());
    const ByteScale to = byte_scale(call, 0);
    int64_t first = 0;
    for (uint32_t i = 2; i < count; i += 3) {
      const ConstTensor& x = call.input(i);
      const Tensor part = part_of(y, x.shape, first * y.strides[at]);
      const ByteTable table = byte_table(y.dtype, byte_scale(call, i + 1), to);
      is_identity(table) ? copy_tensor(x, part) : map_bytes(x, table, part);
      first += x.shape[at];
    }
  });
  return made;
}

// ---- rows

void check_dtype(const sy::Node& node, uint32_t input, sy_dtype expected) {
  const sy_value* value = node.input(input);
  if (value == nullptr || value->dtype == expected) return;
  throw sy::unsupported(SY_REASON_DTYPE, "input ", input, " of ", sy::dtype_name(value->dtype),
                        " where ", node.op(), " takes ", sy::dtype_name(expected));
}

// A scale and the zero point after it.
void check_scale(const sy::Node& node, uint32_t input) {
  check_dtype(node, input, SY_FLOAT32);
  check_dtype(node, input + 1, node.required_output(0).dtype);
}

void check_tensor(const sy::Node& node, uint32_t input) {
  check_dtype(node, input, node.required_output(0).dtype);
  check_scale(node, input + 1);
}

void check_binary(const sy::Node& node) {
  check_tensor(node, 0);
  check_tensor(node, 3);
  check_scale(node, 6);
}

void check_function(const sy::Node& node) {
  check_tensor(node, 0);
  check_scale(node, 3);
}

void check_concat(const sy::Node& node) {
  check_scale(node, 0);
  for (uint32_t i = 2; i < node.input_count(); i += 3) check_tensor(node, i);
}

constexpr char contrib[] = "com.microsoft";
constexpr uint64_t operand_types = byte_types | SY_DTYPE_BIT(SY_FLOAT32);

constexpr KernelRow quantized_elementwise_rows[] = {
    {"QLinearAdd", operand_types, byte_types, make_byte_sum, check_binary, any_strides, contrib},
    {"QLinearMul", operand_types, byte_types, make_byte_product, check_binary, any_strides,
     contrib},
    {"QLinearSigmoid", operand_types, byte_types, make_byte_function, check_function, any_strides,
     contrib},
    {"QLinearLeakyRelu", operand_types, byte_types, make_byte_function, check_function, any_strides,
     contrib},
    {"QLinearConcat", operand_types, byte_types, make_byte_concat, check_concat, any_strides,
     contrib},
};

}  // namespace

KernelTable quantized_elementwise_kernels() { return quantized_elementwise_rows; }

}  // namespace cpu
