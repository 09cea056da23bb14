// MatMulInteger and ConvInteger, by kernels/integer_product.metal.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ops/building/arguments.hpp"
#include "ops/building/graph_builder.hpp"
#include "ops/kernel.hpp"
#include "ops/windows/window.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As kernels/integer_product.metal reads them.
struct ZeroPoints {
  uint32_t has_x = 0;
  uint32_t has_w = 0;
  uint32_t x_at = 0;
  uint32_t w_at = 0;
};

struct IntegerProduct {
  ZeroPoints zeros;
  uint32_t depth;
  int32_t a_step;
  int32_t b_step;
};

struct IntegerConvolution {
  ZeroPoints zeros;
  uint32_t channels;
  uint32_t made;
  int32_t extents[2];
  int32_t size[2];
  int32_t strides[2];
  int32_t dilations[2];
  int32_t padding[2];
  uint32_t result[4];
  int32_t x_steps[4];
  int32_t w_steps[4];
  int32_t y_steps[4];
  uint32_t x_at;
  uint32_t w_at;
  uint32_t y_at;
};

// The two zero points; what is left out has still to be bound, and is not read.
struct BoundZeroPoints {
  Bound x, w;
  ZeroPoints zeros;

  explicit BoundZeroPoints(const Run& run)
      : x(bind(run.inputs[run.has_input(2) ? 2 : 0], 3)),
        w(bind(run.inputs[run.has_input(3) ? 3 : 1], 4)) {
    zeros = {run.has_input(2), run.has_input(3), static_cast<uint32_t>(x.offset),
             static_cast<uint32_t>(w.offset)};
  }
};

// ---- MatMulInteger

// A matrix, or the vector that stands for one: its strides over the result's axes, and the step
// along the axis that is summed over.
struct Side {
  sy::Dimensions strides;
  int64_t step;
};

// The result's axes are those of the batch, then a's rows and b's columns, where there are such.
Side side_of(const Tensor& tensor, const Tensor& result, bool is_left, bool other_is_matrix) {
  const size_t rank = tensor.shape.size();
  const size_t result_rank = result.shape.size();
  Side side{sy::Dimensions(result.shape), 0};
  std::fill_n(side.strides.data.data(), result_rank, 0);
  if (rank == 1) {
    side.step = tensor.strides[0];
    return side;
  }
  side.step = tensor.strides[is_left ? rank - 1 : rank - 2];
  const size_t own = is_left && other_is_matrix ? result_rank - 2 : result_rank - 1;
  side.strides[own] = tensor.strides[is_left ? rank - 2 : rank - 1];
  const size_t matrix_axes = other_is_matrix ? 2 : 1;
  const size_t batch = result_rank - matrix_axes;
  for (size_t i = 0; i + 2 < rank; ++i) {
    const size_t from_end = rank - 2 - i;
    if (tensor.shape[i] != 1) side.strides[batch - from_end] = tensor.strides[i];
  }
  return side;
}

class IntegerProductKernel final : public Kernel {
 public:
  explicit IntegerProductKernel(const seam::Pipeline& pipeline) : pipeline_(pipeline) {}

  void encode(const Run& run) const override {
    const Tensor& a = run.inputs[0];
    const Tensor& b = run.inputs[1];
    const Tensor& y = run.outputs[0];
    const Side left = side_of(a, y, true, b.shape.size() > 1);
    const Side right = side_of(b, y, false, a.shape.size() > 1);
    const uint64_t depth = static_cast<uint64_t>(a.shape.back());
    // A sum of nothing reads nothing, and what has no elements has no memory.
    const Bound bound[3] = {depth == 0 ? bind(y, 0) : bind(a, 0),
                            depth == 0 ? bind(y, 1) : bind(b, 1), bind(y, 2)};
    const std::array<Walked, 3> walked = {Walked{left.strides.data.data(), bound[0].offset},
                                          Walked{right.strides.data.data(), bound[1].offset},
                                          Walked{y.strides.data.data(), bound[2].offset}};
    const Axes axes = make_axes(y.shape, walked);
    if (depth == 0) return encode_nothing(run, bound, axes);
    const BoundZeroPoints zeros(run);
    const IntegerProduct product{zeros.zeros, static_cast<uint32_t>(depth), int32_step(left.step),
                                 int32_step(right.step)};
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add(bound[2]).add(zeros.x).add(zeros.w);
    arguments.add_value(axes).add_value(product).run(run.stream, pipeline_, axes.count);
  }

 private:
  void encode_nothing(const Run& run, const Bound* bound, const Axes& axes) const {
    const IntegerProduct product{};
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add(bound[2]).add(bound[0]).add(bound[1]);
    arguments.add_value(axes).add_value(product).run(run.stream, pipeline_, axes.count);
  }

  const seam::Pipeline& pipeline_;
};

// ---- ConvInteger

void set_steps(int32_t* steps, const Tensor& tensor) {
  const bool is_line = tensor.shape.size() == 3;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    steps[is_line && i == 2 ? 3 : i] = int32_step(tensor.strides[i]);
  }
  if (is_line) steps[2] = 0;
}

class IntegerConvolutionKernel final : public Kernel {
 public:
  IntegerConvolutionKernel(const seam::Pipeline& pipeline, seam::Window window)
      : pipeline_(pipeline), window_(window) {}

  void encode(const Run& run) const override {
    const Tensor& x = run.inputs[0];
    const Tensor& w = run.inputs[1];
    const Tensor& y = run.outputs[0];
    const Bound from = bind(x, 0), weights = bind(w, 1), to = bind(y, 2);
    const BoundZeroPoints zeros(run);
    IntegerConvolution c{};
    c.zeros = zeros.zeros;
    c.channels = static_cast<uint32_t>(w.shape[1]);
    c.made = static_cast<uint32_t>(w.shape[0] / window_.groups);
    set_window(c, with_two_axes({x.shape.begin(), x.shape.end()}));
    const std::vector<int64_t> result = with_two_axes({y.shape.begin(), y.shape.end()});
    std::transform(result.begin(), result.end(), c.result,
                   [](int64_t extent) { return static_cast<uint32_t>(extent); });
    set_steps(c.x_steps, x);
    set_steps(c.w_steps, w);
    set_steps(c.y_steps, y);
    c.x_at = static_cast<uint32_t>(from.offset);
    c.w_at = static_cast<uint32_t>(weights.offset);
    c.y_at = static_cast<uint32_t>(to.offset);
    Arguments arguments;
    arguments.add(from).add(weights).add(to).add(zeros.x).add(zeros.w).add_value(c);
    arguments.run(run.stream, pipeline_, static_cast<uint32_t>(y.size()));
  }

 private:
  void set_window(IntegerConvolution& c, const std::vector<int64_t>& input) const {
    for (size_t axis = 0; axis < 2; ++axis) {
      c.extents[axis] = static_cast<int32_t>(input[2 + axis]);
      c.size[axis] = static_cast<int32_t>(window_.size[axis]);
      c.strides[axis] = static_cast<int32_t>(window_.strides[axis]);
      c.dilations[axis] = static_cast<int32_t>(window_.dilations[axis]);
      c.padding[axis] = static_cast<int32_t>(window_.padding_before[axis]);
    }
  }

  const seam::Pipeline& pipeline_;
  const seam::Window window_;
};

// ---- rows

const seam::Pipeline& pipeline_for(Device& device, const sy::Node& node, const char* kernel) {
  return device.pipeline(std::string(kernel) + "_" + metal_type(node.required_input(0).dtype) +
                         "_" + metal_type(node.required_input(1).dtype));
}

Prepared make_product(Device& device, const sy::Node& node) {
  return {std::make_unique<IntegerProductKernel>(pipeline_for(device, node, "integer_product"))};
}

Prepared make_convolution(Device& device, const sy::Node& node) {
  const std::vector<int64_t> input = type_of(node.required_input(0)).shape;
  const std::vector<int64_t> output = type_of(node.required_output(0)).shape;
  const seam::Window window = convolution_window(
      node, input.size() - 2, with_two_axes(input),
      with_two_axes(type_of(node.required_input(1)).shape), with_two_axes(output));
  const auto& pipeline = pipeline_for(device, node, "integer_convolution");
  return {std::make_unique<IntegerConvolutionKernel>(pipeline, window), SY_ON_SHAPE};
}

void check_zero_points(const sy::Node& node) {
  for (const uint32_t i : {2u, 3u}) {
    const sy_value* zero = node.input(i);
    if (zero == nullptr) continue;
    if (!sy::has_known_shape(*zero) || sy::element_count(sy::shape_of(*zero)) != 1) {
      throw sy::unsupported(SY_REASON_LIMIT, "a zero point of more numbers than one");
    }
  }
}

void check_convolution(const sy::Node& node) {
  check_zero_points(node);
  const uint32_t rank = node.required_input(0).rank;
  if (rank != 3 && rank != 4) {
    throw sy::unsupported(SY_REASON_RANK, "rank ", rank, "; one or two spatial axes");
  }
}

}  // namespace

std::span<const KernelRow> integer_product_rows() {
  constexpr uint64_t bytes = SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8);
  constexpr uint64_t sums = SY_DTYPE_BIT(SY_INT32);
  static const KernelRow rows[] = {
      {{.op = "MatMulInteger", .dtypes = bytes, .output_dtypes = sums, .max_rank = 16},
       make_product,
       check_zero_points},
      {{.op = "ConvInteger", .dtypes = bytes, .output_dtypes = sums, .max_rank = 4},
       make_convolution,
       check_convolution}};
  return rows;
}

}  // namespace mps
