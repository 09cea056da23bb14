// Convolutions of bytes: ConvInteger and QLinearConv.
#include <memory>

#include "kernels.hpp"
#include "kernels/convolution/attributes.hpp"
#include "kernels/quantized/whole_numbers.hpp"
#include "kernels/tensor_copy.hpp"
#include "kernels/unary.hpp"

namespace cpu {
namespace {

// Zero points and weights of a run; the padding stands for the real 0.
void convolve_bytes(const ConvolutionAttributes& attributes, const Tensor& x, const Tensor* x_zero,
                    const Tensor& weights, const Tensor* weights_zero, const int32_t* bias,
                    sy::Extents y_shape, int32_t* sums) {
  const Tensor& zeros = weights_zero == nullptr ? weights : *weights_zero;
  const Extended zero(zeros, zeros.size() == 1 ? zeros.rank() : weights.rank());
  const WholeNumbers from(x, x_zero);
  const WholeNumbers w(weights, weights_zero == nullptr ? nullptr : &zero.get());
  const ConvolutionShape shape = attributes.shape(x.shape, weights.shape, y_shape);
  GemmOperand<int32_t> operand;
  operand.view.data = w.data();
  convolve<int32_t>(shape, images_of<int32_t>(from.tensor()), operand, bias, sums);
}

const Tensor* given(Call& call, uint32_t i) { return call.has_input(i) ? &call.input(i) : nullptr; }

Prepared make_conv_integer(const sy::Node& node) {
  Prepared made;
  made.run = [attributes = ConvolutionAttributes(node)](Call& call) {
    const Tensor& y = call.output(0);
    if (y.size() == 0) return;
    const bool direct = sy::is_contiguous(y.shape, y.strides.data());
    const Scratch<int32_t> beside(direct ? 0 : y.size());
    int32_t* to = direct ? y.as<int32_t>() : beside.data();
    convolve_bytes(attributes, call.input(0), given(call, 2), call.input(1), given(call, 3),
                   nullptr, y.shape, to);
    if (!direct) copy_tensor(ContiguousTensor(SY_INT32, to, y.shape).get(), y);
  };
  return made;
}

// x, its scale, its zero point, w, its scale, its zero point, y's scale, y's zero point, bias
void convolve_quantized(const ConvolutionAttributes& attributes, Call& call) {
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  const Scratch<int32_t> sums(y.size());
  const Tensor* bias = given(call, 8);
  const Scratch<int32_t> bias_room(bias == nullptr ? 0 : bias->size());
  if (bias != nullptr)
    copy_tensor(*bias, ContiguousTensor(SY_INT32, bias_room.data(), bias->shape).get());
  convolve_bytes(attributes, call.input(0), &call.input(2), call.input(3), &call.input(5),
                 bias == nullptr ? nullptr : bias_room.data(), y.shape, sums.data());
  const float factor = floats_of(call.input(1))[0] / floats_of(call.input(6))[0];
  Requantization how{
      floats_of(call.input(4)), {factor}, static_cast<int32_t>(floats_of(call.input(7))[0])};
  requantize(sums.data(), y.size() / (y.shape[0] * y.shape[1]), how, y);
}

Prepared make_qlinear_conv(const sy::Node& node) {
  Prepared made;
  made.run = [attributes = ConvolutionAttributes(node)](Call& call) {
    convolve_quantized(attributes, call);
  };
  return made;
}

constexpr uint64_t bytes = SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8);
constexpr uint64_t sums = SY_DTYPE_BIT(SY_INT32);

constexpr KernelRow rows[] = {
    {"ConvInteger", bytes, sums, make_conv_integer, nullptr, any_strides, "", 1, UINT32_MAX, 0, 5},
    {"QLinearConv", bytes | sums | SY_DTYPE_BIT(SY_FLOAT32), bytes, make_qlinear_conv, nullptr,
     any_strides, "", 1, UINT32_MAX, 0, 5},
};

}  // namespace

KernelTable convolution_integer_kernels() { return rows; }

}  // namespace cpu
