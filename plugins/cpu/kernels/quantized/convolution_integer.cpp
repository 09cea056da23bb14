// Convolutions of bytes: ConvInteger and QLinearConv.
#include <memory>

#include "kernels/convolution/attributes.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/quantized/byte_convolution.hpp"
#include "kernels/quantized/byte_operands.hpp"
#include "kernels/quantized/integer_operand.hpp"
#include "loops/layout.hpp"
#include "loops/tensor_copy.hpp"

namespace cpu {
namespace {

std::vector<int32_t> zeros_of(const ConstTensor* numbers, int32_t shift, int64_t count) {
  return for_columns(numbers == nullptr ? std::vector{shift} : integers_of(*numbers, shift), count);
}

class IntegerConvolution {
 public:
  // `weights` is the node's input of weights.
  IntegerConvolution(const sy::Node& node, uint32_t weights) : attributes_(node) {
    const sy_value& value = node.required_input(weights);
    const auto pack = [&](const ConstTensor& tensor) -> std::shared_ptr<const void> {
      const std::vector<int32_t> zeros(static_cast<size_t>(tensor.shape[0]));
      return std::make_shared<const ByteFilters>(pack_filters(tensor, attributes_.groups, zeros));
    };
    packed_ = std::static_pointer_cast<const ByteFilters>(
        packed_bytes(value, sy::text("bytes/filters/", attributes_.groups), pack));
  }

  const std::shared_ptr<const ByteFilters>& packed() const { return packed_; }

  // What scales sums, and the bias, are in `result` already.
  void run(const ConstTensor& x, const ConstTensor* x_zero, const ConstTensor& weights,
           const ConstTensor* weights_zero, const Tensor& y, ByteResult result) const {
    const std::vector<int32_t> left_zeros = zeros_of(x_zero, unsigned_shift(x.dtype == SY_INT8), 1);
    const std::vector<int32_t> right_zeros =
        zeros_of(weights_zero, signed_shift(weights.dtype == SY_INT8), y.shape[1]);
    const bool takes_zeros_off =
        is_by_channel(weights, attributes_.groups) && unless_zero(right_zeros) != nullptr;
    const bool packs = packed_ == nullptr || takes_zeros_off;
    const ByteFilters own =
        packs ? pack_filters(weights, attributes_.groups, right_zeros) : ByteFilters();
    const UnsignedBytes bytes(x, channels_last_strides(x.shape));
    const DenseOutput output(y, channels_last_strides(y.shape));
    result.data = output.data();
    result.row_step = y.shape[1];
    result.left_zeros = {left_zeros.data(), 0};
    result.right_zeros = unless_zero(right_zeros);
    convolve_bytes(attributes_.shape(x.shape, weights.shape, y.shape), bytes.data(),
                   static_cast<uint8_t>(left_zeros[0]), packs ? own : *packed_, result);
    output.write_back();
  }

 private:
  ConvolutionAttributes attributes_;
  std::shared_ptr<const ByteFilters> packed_;  // constant weights
};

Prepared prepared(const sy::Node& node, uint32_t weights,
                  void (*run)(Call& call, const IntegerConvolution& convolution)) {
  const auto convolution = std::make_shared<const IntegerConvolution>(node, weights);
  Prepared made;
  if (const auto& packed = convolution->packed()) {
    made.packed = {{weights, packed, packed->bytes()}};
  }
  const sy_value& y = node.required_output(0);
  if (sy::has_known_shape(y)) {
    made.specialised_on = SY_ON_SHAPE;
    made.outputs = {{.strides = proposed_channels_last(sy::shape_of(y))}};
  }
  made.kernel = function_kernel([convolution, run](Call& call) { run(call, *convolution); });
  return made;
}

void convolve_integers(Call& call, const IntegerConvolution& convolution) {
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  convolution.run(call.input(0), call.input_or_null(2), call.input(1), call.input_or_null(3), y,
                  {});
}

// x, its scale, its zero point, w, its scale, its zero point, y's scale, y's zero point, bias
void convolve_quantized(Call& call, const IntegerConvolution& convolution) {
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  const ConstTensor* bias = call.input_or_null(8);
  const std::vector<int32_t> biases =
      bias == nullptr ? std::vector<int32_t>() : for_columns(integers_of(*bias, 0), y.shape[1]);
  const std::vector<float> columns = for_columns(floats_of(call.input(4)), y.shape[1]);
  const float factor = floats_of(call.input(1))[0] / floats_of(call.input(6))[0];
  ByteResult result{};
  result.bias = bias == nullptr ? nullptr : biases.data();
  result.row_factors = {&factor, 0};
  result.column_factors = columns.data();
  result.zero_point = integers_of(call.input(7), 0)[0];
  result.is_signed = y.dtype == SY_INT8;
  convolution.run(call.input(0), &call.input(2), call.input(3), &call.input(5), y, result);
}

Prepared make_conv_integer(const sy::Node& node) { return prepared(node, 1, convolve_integers); }

Prepared make_qlinear_conv(const sy::Node& node) { return prepared(node, 3, convolve_quantized); }

constexpr uint64_t sums = SY_DTYPE_BIT(SY_INT32);

constexpr KernelRow convolution_integer_rows[] = {
    {"ConvInteger", byte_types, sums, make_conv_integer, nullptr, any_strides, "", 1, UINT32_MAX, 0,
     5},
    {"QLinearConv", byte_types | sums | SY_DTYPE_BIT(SY_FLOAT32), byte_types, make_qlinear_conv,
     nullptr, any_strides, "", 1, UINT32_MAX, 0, 5},
};

}  // namespace

KernelTable convolution_integer_kernels() { return convolution_integer_rows; }

}  // namespace cpu
