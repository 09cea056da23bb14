// LayerNormalization, RMSNormalization and LpNormalization: a line at a time, in the cache.
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/normalization/moments.hpp"
#include "loops/convert.hpp"
#include "loops/line_loop.hpp"
#include "loops/line_vector.hpp"
#include "simd/reduce_functions.hpp"
#include "simd/vector_lines.hpp"

namespace cpu {
namespace {

void normalize(const float* x, float* y, int64_t count, float centre, float factor, float shift,
               const float* scale, const float* bias) {
  vector_lines().normalize(x, y, count, centre, factor, shift, scale, bias);
}
void normalize(const double* x, double* y, int64_t count, double centre, double factor,
               double shift, const double* scale, const double* bias) {
  for (int64_t i = 0; i < count; ++i) {
    const double number = ((x[i] - centre) * factor + shift) * (scale == nullptr ? 1 : scale[i]);
    y[i] = number + (bias == nullptr ? 0 : bias[i]);
  }
}

// An output of one number a line, which the node may leave out.
struct LineOutput {
  char* data = nullptr;
  ConvertRow store = nullptr;

  static LineOutput of(const Call& call, uint32_t output) {
    if (!call.has_output(output)) return {};
    const Tensor& tensor = call.output(output);
    return {tensor.as<char>(), convert_row(SY_FLOAT64, tensor.dtype)};
  }
  void write(int64_t offset, double number) const {
    if (data != nullptr) store(reinterpret_cast<const char*>(&number), 0, data + offset, 0, 1);
  }
};

LineOperand operand_of(const Call& call, uint32_t output, uint64_t axes,
                       const ConstTensor& otherwise) {
  if (call.has_output(output)) {
    return LineOperand::reduced(call.output(output), axes, otherwise.rank());
  }
  return LineOperand::whole(otherwise);  // never read
}

// A kernel whose lines run from `axis` on; `first` is that axis, counted from the front.
using LineNorm = void (*)(Call& call, size_t first, double epsilon);

Prepared make_line_norm(const sy::Node& node, LineNorm run) {
  const int64_t axis = node.integer("axis", -1);
  const double epsilon = node.real("epsilon", 1e-5f);
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1}};
  made.kernel = function_kernel([axis, epsilon, run](Call& call) {
    const uint64_t only = axis_mask(axis, call.input(0).rank());
    run(call, static_cast<size_t>(std::countr_zero(only)), epsilon);
  });
  return made;
}

template <typename W>
void layer_norm(Call& call, size_t first, double epsilon) {
  const ConstTensor& input = call.input(0);
  const Tensor& output = call.output(0);
  const size_t rank = input.rank();
  const uint64_t axes = all_axes(rank) & ~all_axes(first);
  const LineVector<W> scale(call, 1, input.shape.subspan(first));
  const LineVector<W> bias(call, 2, input.shape.subspan(first));
  const LineOutput means = LineOutput::of(call, 1);
  const LineOutput factors = LineOutput::of(call, 2);
  const std::array<LineOperand, 4> operands = {
      LineOperand::whole(input), LineOperand::whole(output), operand_of(call, 1, axes, input),
      operand_of(call, 2, axes, input)};
  const LineWalk walk(input.shape, axes, operands, LineOrder::row_major);
  const int64_t count = walk.length();
  for_each_line<W>(walk, {&input, &output}, medium_grain,
                   [&](const W* x, W* y, const LineOffsets& offsets, int64_t) {
                     const LineMoments<W> moments = line_moments(x, count);
                     const double factor = 1 / std::sqrt(moments.variance + epsilon);
                     normalize(x, y, count, moments.centre, static_cast<W>(factor),
                               moments.shift(factor), scale.data(), bias.data());
                     means.write(offsets[2], moments.mean());
                     factors.write(offsets[3], factor);
                   });
}

Prepared make_layer_norm(const sy::Node& node) {
  const bool wide = node.required_input(0).dtype == SY_FLOAT64;
  return make_line_norm(node, wide ? layer_norm<double> : layer_norm<float>);
}

// ---- RMSNormalization: no mean is taken away

template <typename W>
void rms_norm(Call& call, size_t first, double epsilon) {
  const ConstTensor& input = call.input(0);
  const Tensor& output = call.output(0);
  const uint64_t axes = all_axes(input.rank()) & ~all_axes(first);
  const LineVector<W> scale(call, 1, input.shape.subspan(first));
  const std::array<LineOperand, 2> operands = {LineOperand::whole(input),
                                               LineOperand::whole(output)};
  const LineWalk walk(input.shape, axes, operands, LineOrder::row_major);
  const auto sum = reduce_functions<W>(ReduceKind::sum_of_squares).row;
  const int64_t count = walk.length();
  for_each_line<W>(
      walk, {&input, &output}, medium_grain, [&](const W* x, W* y, const LineOffsets&, int64_t) {
        const double mean = sum(x, count) / static_cast<double>(count);
        const double factor = 1 / std::sqrt(mean + epsilon);
        normalize(x, y, count, W{0}, static_cast<W>(factor), W{-0.0}, scale.data(), nullptr);
      });
}

Prepared make_rms_norm(const sy::Node& node) {
  const bool wide = node.required_input(0).dtype == SY_FLOAT64 ||
                    node.integer("stash_type", SY_FLOAT32) == SY_FLOAT64;
  return make_line_norm(node, wide ? rms_norm<double> : rms_norm<float>);
}

// The scale belongs to the elements of a line; one that differs from line to line is left to the
// function body. The input and the output may be of two types, but not share memory then.
void check_rms_norm(const sy::Node& node) {
  const sy_value& input = node.required_input(0);
  const sy_value& scale = node.required_input(1);
  const int64_t axis = node.integer("axis", -1);
  const int64_t lines = axis < 0 ? -axis : static_cast<int64_t>(input.rank) - axis;
  if (static_cast<int64_t>(scale.rank) > lines) {
    throw sy::unsupported(SY_REASON_RANK, "the scale has rank ", scale.rank, " for lines of rank ",
                          lines);
  }
  if (input.dtype != node.required_output(0).dtype) {
    throw sy::unsupported(SY_REASON_DTYPE, "the scale is of another type than the input");
  }
}

// ---- LpNormalization: a line of zeros stays so

template <typename W>
void lp_norm(Call& call, int64_t axis, int64_t p) {
  const ConstTensor& input = call.input(0);
  const Tensor& output = call.output(0);
  const std::array<LineOperand, 2> operands = {LineOperand::whole(input),
                                               LineOperand::whole(output)};
  const LineWalk walk(input.shape, axis_mask(axis, input.rank()), operands);
  const auto join =
      reduce_functions<W>(p == 1 ? ReduceKind::sum_of_magnitudes : ReduceKind::sum_of_squares).row;
  const int64_t count = walk.length();
  for_each_line<W>(walk, {&input, &output}, medium_grain,
                   [&](const W* x, W* y, const LineOffsets&, int64_t) {
                     const double joined = join(x, count);
                     const double norm = p == 1 ? joined : std::sqrt(joined);
                     for (int64_t i = 0; i < count; ++i) {
                       y[i] = norm == 0 ? W{0} : static_cast<W>(static_cast<double>(x[i]) / norm);
                     }
                   });
}

Prepared make_lp_norm(const sy::Node& node) {
  const int64_t axis = node.integer("axis", -1);
  const int64_t p = node.integer("p", 2);
  const bool wide = node.required_input(0).dtype == SY_FLOAT64;
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1}};
  made.kernel = function_kernel([axis, p, wide](Call& call) {
    if (wide) return lp_norm<double>(call, axis, p);
    lp_norm<float>(call, axis, p);
  });
  return made;
}

void check_lp_norm(const sy::Node& node) {
  const int64_t p = node.integer("p", 2);
  if (p != 1 && p != 2) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "p is ", p, "; this kernel knows 1 and 2");
  }
}

constexpr KernelRow layer_norm_rows[] = {
    {"LayerNormalization", sy::float_dtypes, sy::float_dtypes, make_layer_norm, nullptr,
     any_strides},
    {"RMSNormalization", sy::float_dtypes, sy::float_dtypes, make_rms_norm, check_rms_norm,
     any_strides},
    {"LpNormalization", sy::float_dtypes, sy::float_dtypes, make_lp_norm, check_lp_norm,
     any_strides},
};

}  // namespace

KernelTable layer_norm_kernels() { return layer_norm_rows; }

}  // namespace cpu
