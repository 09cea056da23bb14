// LayerNormalizationGradient: a line at a time, while it is in the cache. The gradients of scale
// and bias are summed over pieces of lines that follow from the shape, and these in their order.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/normalization/moments.hpp"
#include "loops/line_loop.hpp"
#include "loops/line_vector.hpp"
#include "machine/parallel.hpp"
#include "simd/reduce_functions.hpp"
#include "simd/vector_lines.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {
namespace {

constexpr int64_t fewest_pieces = 16;  // of lines, for threads to share

LayerSums sums_of(const LayerLine<float>& line, float* of_scale, float* of_bias) {
  return vector_lines().layer_sums(line, of_scale, of_bias);
}
LayerSums sums_of(const LayerLine<double>& line, double* of_scale, double* of_bias) {
  LayerSums sums;
  for (int64_t i = 0; i < line.count; ++i) {
    const double standard = (line.x[i] - line.centre) * line.factor + line.shift;
    const double scaled = line.gradient[i] * line.scale[i];
    sums.scaled += scaled;
    sums.along += scaled * standard;
    if (of_scale != nullptr) of_scale[i] += line.gradient[i] * standard;
    if (of_bias != nullptr) of_bias[i] += line.gradient[i];
  }
  return sums;
}

void write_line(const LayerLine<float>& line, float mean, float along, float* to) {
  vector_lines().layer_gradient(line, mean, along, to);
}
void write_line(const LayerLine<double>& line, double mean, double along, double* to) {
  for (int64_t i = 0; i < line.count; ++i) {
    const double standard = (line.x[i] - line.centre) * line.factor + line.shift;
    to[i] = line.factor * (line.gradient[i] * line.scale[i] - mean - standard * along);
  }
}

// What one run is about.
template <typename W>
class LayerGradient {
 public:
  LayerGradient(Call& call, size_t first, double epsilon)
      : call_(call),
        gradient_(call.input(0)),
        input_(call.input(1)),
        output_(call.output(0)),
        epsilon_(epsilon),
        scale_(call, 2, input_.shape.subspan(first)),
        walk_(input_.shape, all_axes(input_.rank()) & ~all_axes(first),
              std::array{LineOperand::whole(gradient_), LineOperand::whole(output_),
                         LineOperand::whole(input_)},
              LineOrder::row_major) {}

  void run() {
    if (call_.has_output(1) || call_.has_output(2)) return run_pieces();
    for_each_line_of_two<W>(walk_, tensors(), medium_grain,
                            [this](const W* grads, const W* x, W* to, const LineOffsets&, int64_t) {
                              backward(grads, x, to, nullptr, nullptr);
                            });
  }

 private:
  LineTensors tensors() const { return {&gradient_, &output_, &input_}; }

  void backward(const W* grads, const W* x, W* to, W* of_scale, W* of_bias) const {
    const int64_t count = walk_.length();
    const auto divisor = static_cast<double>(count);
    const LineMoments<W> moments = line_moments(x, count);
    const double factor = 1 / std::sqrt(moments.variance + epsilon_);
    const LayerLine<W> line{grads,
                            x,
                            scale_.data(),
                            count,
                            moments.centre,
                            static_cast<W>(factor),
                            moments.shift(factor)};
    const LayerSums sums = sums_of(line, of_scale, of_bias);
    write_line(line, static_cast<W>(sums.scaled / divisor), static_cast<W>(sums.along / divisor),
               to);
  }

  void run_pieces() {
    const int64_t length = walk_.length(), lines = walk_.count();
    const int64_t piece = std::clamp<int64_t>(sy::ceil_div(lines, fewest_pieces), 1, column_rows);
    const int64_t pieces = sy::ceil_div(lines, piece);
    std::vector<W> scales(call_.has_output(1) ? static_cast<size_t>(pieces * length) : 0);
    std::vector<W> biases(call_.has_output(2) ? static_cast<size_t>(pieces * length) : 0);
    const int64_t grain = std::max<int64_t>(1, medium_grain / std::max<int64_t>(piece * length, 1));
    parallel_for(pieces, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        W* of_scale = scales.empty() ? nullptr : scales.data() + i * length;
        W* of_bias = biases.empty() ? nullptr : biases.data() + i * length;
        visit_lines_of_two<W>(walk_, tensors(), i * piece, std::min(lines, (i + 1) * piece),
                              [&](const W* grads, const W* x, W* to, const LineOffsets&, int64_t) {
                                backward(grads, x, to, of_scale, of_bias);
                              });
      }
    });
    if (call_.has_output(1)) write_joined(scales, pieces, call_.output(1));
    if (call_.has_output(2)) write_joined(biases, pieces, call_.output(2));
  }

  void write_joined(const std::vector<W>& parts, int64_t pieces, const Tensor& output) const {
    const int64_t length = walk_.length();
    std::vector<W> joined(static_cast<size_t>(length));
    const int64_t grain = std::max<int64_t>(1, medium_grain / std::max<int64_t>(pieces, 1));
    parallel_for(length, grain, [&](int64_t begin, int64_t end) {
      std::vector<double> sums(static_cast<size_t>(end - begin));
      for (int64_t i = 0; i < pieces; ++i) {
        const W* part = parts.data() + i * length + begin;
        for (size_t k = 0; k < sums.size(); ++k) sums[k] += static_cast<double>(part[k]);
      }
      for (size_t k = 0; k < sums.size(); ++k) joined[begin + k] = static_cast<W>(sums[k]);
    });
    write_numbers(joined, output);
  }

  Call& call_;
  const ConstTensor& gradient_;
  const ConstTensor& input_;
  const Tensor& output_;
  const double epsilon_;
  const LineVector<W> scale_;
  const LineWalk walk_;
};

Prepared make_gradient(const sy::Node& node) {
  const int64_t axis = node.integer("axis", -1);
  const double epsilon = node.real("epsilon", 1e-5f);
  const bool wide = node.required_input(0).dtype == SY_FLOAT64;
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1}};
  made.kernel = function_kernel([axis, epsilon, wide](Call& call) {
    const size_t rank = call.input(1).rank();
    const size_t first = sy::normalize_axis(axis, rank);
    if (wide) return LayerGradient<double>(call, first, epsilon).run();
    LayerGradient<float>(call, first, epsilon).run();
  });
  return made;
}

constexpr KernelRow layer_norm_gradient_rows[] = {
    {"LayerNormalizationGradient", sy::float_dtypes, sy::float_dtypes, make_gradient, nullptr,
     any_strides, "switchyard"},
};

}  // namespace

KernelTable layer_norm_gradient_kernels() { return layer_norm_gradient_rows; }

}  // namespace cpu
