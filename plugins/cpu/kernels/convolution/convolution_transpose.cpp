#include <optional>

#include "kernels/convolution/convolve_transposed.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/contiguous.hpp"

namespace cpu {
namespace {

struct Transposed {
  explicit Transposed(const sy::Node& node) : window(node), groups(node.integer("group", 1)) {}

  TransposedShape shape(const ConstTensor& x, const ConstTensor& weights, const Tensor& y) const {
    TransposedShape made;
    made.window =
        window.transposed_window(weights.shape.subspan(2), x.shape.subspan(2), y.shape.subspan(2));
    made.batch = x.shape[0];
    made.groups = groups;
    made.group_inputs = weights.shape[0] / groups;
    made.group_outputs = weights.shape[1];
    return made;
  }

  WindowAttributes window;
  int64_t groups;
};

template <typename T>
void run_transposed(const Transposed& transposed, Call& call) {
  const ConstTensor& x = call.input(0);
  const ConstTensor& weights = call.input(1);
  const Tensor& y = call.output(0);
  const ContiguousOutput<T> to(y);
  const ContiguousInput<T> from(x);
  const ContiguousInput<T> w(weights);
  std::optional<ContiguousInput<T>> bias;
  if (call.has_input(2)) bias.emplace(call.input(2));
  convolve_transposed<T>(transposed.shape(x, weights, y), from.data(), w.data(),
                         bias ? bias->data() : nullptr, to.data());
  to.write_back();
}

}  // namespace

Prepared plain_convolution_transpose(const sy::Node& node) {
  Prepared made;
  made.kernel = function_kernel([transposed = Transposed(node)](Call& call) {
    if (call.output(0).size() == 0) return;
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_transposed<double> : run_transposed<float>)(transposed, call);
  });
  return made;
}

namespace {

constexpr KernelRow convolution_transpose_rows[] = {
    {"ConvTranspose", sy::float_dtypes, sy::float_dtypes, plain_convolution_transpose, nullptr,
     any_strides, "", 1, UINT32_MAX, 1, 5},
};

}  // namespace

KernelTable convolution_transpose_kernels() { return convolution_transpose_rows; }

}  // namespace cpu
