// ConvInputGradient and ConvWeightGradient.
#include "kernels/convolution/gradients.hpp"

#include "kernels/convolution/attributes.hpp"
#include "kernels/convolution/convolve_transposed.hpp"
#include "kernels/convolution/convolve_weights.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/contiguous.hpp"

namespace cpu {
namespace {

// The transposed convolution of dY.
template <typename T>
void run_input_gradient(const ConvolutionAttributes& attributes, Call& call) {
  const ConstTensor& dy = call.input(0);
  const ConstTensor& weights = call.input(1);
  const Tensor& dx = call.output(0);
  const ContiguousOutput<T> to(dx);
  const ContiguousInput<T> from(dy);
  const ContiguousInput<T> w(weights);
  const ConvolutionShape forward = attributes.shape(dx.shape, weights.shape, dy.shape);
  const TransposedShape shape{forward.window, forward.batch, forward.groups, forward.group_outputs,
                              forward.group_inputs};
  convolve_transposed<T>(shape, from.data(), w.data(), nullptr, to.data());
  to.write_back();
}

template <typename T>
void run_weight_gradient(const ConvolutionAttributes& attributes, Call& call) {
  const ConstTensor& x = call.input(0);
  const ConstTensor& dy = call.input(1);
  const Tensor& dw = call.output(0);
  const bool is_own = x.dtype == sy::dtype_of<T>;
  const Scratch<T> wide(is_own ? 0 : x.size());
  const ContiguousTensor widened(sy::dtype_of<T>, wide.data(), x.shape);
  if (!is_own) copy_tensor(x, widened.get());
  const ContiguousOutput<T> to(dw);
  const ContiguousInput<T> from(dy);
  convolve_weights<T>(attributes.shape(x.shape, dw.shape, dy.shape),
                      images_of<T>(is_own ? x : widened.get()), from.data(), to.data());
  to.write_back();
}

}  // namespace

Prepared plain_conv_input_gradient(const sy::Node& node) {
  Prepared made;
  made.kernel = function_kernel([attributes = ConvolutionAttributes(node)](Call& call) {
    if (call.output(0).size() == 0) return;
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_input_gradient<double> : run_input_gradient<float>)(attributes, call);
  });
  return made;
}

Prepared plain_conv_weight_gradient(const sy::Node& node) {
  Prepared made;
  made.kernel = function_kernel([attributes = ConvolutionAttributes(node)](Call& call) {
    if (call.output(0).size() == 0) return;
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_weight_gradient<double> : run_weight_gradient<float>)(attributes, call);
  });
  return made;
}

namespace {

constexpr KernelRow convolution_gradient_rows[] = {
    {"ConvInputGradient", sy::float_dtypes, sy::float_dtypes, plain_conv_input_gradient, nullptr,
     any_strides, "switchyard", 1, UINT32_MAX, 3, 5},
    {"ConvWeightGradient", sy::float_dtypes, sy::float_dtypes, plain_conv_weight_gradient, nullptr,
     any_strides, "switchyard", 1, UINT32_MAX, 3, 5},
};

}  // namespace

KernelTable convolution_gradient_kernels() { return convolution_gradient_rows; }

}  // namespace cpu
