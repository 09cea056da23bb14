// Resize: a pass for each axis that changes, by kernels/along_axis.metal.
#include <algorithm>
#include <array>
#include <cstring>

#include "ops/building/along_axis.hpp"
#include "ops/building/elementwise.hpp"
#include "ops/building/graph_builder.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "ops/movement/resize_table.hpp"

namespace mps {
namespace {

class ResizeKernel final : public Kernel {
 public:
  ResizeKernel(Device& device, std::vector<ResizedAxis> axes, bool picks, float extrapolation)
      : device_(device), axes_(std::move(axes)), picks_(picks), extrapolation_(extrapolation) {}

  // Sums between passes stay in float32.
  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    Tensor from = run.inputs[0];
    if (axes_.empty()) return encode_copy(device_, run.stream, from, output);
    std::vector<sy::Dimensions> shapes(axes_.size());
    for (size_t i = 0; i < axes_.size(); ++i) {
      const bool is_last = i + 1 == axes_.size();
      const Tensor to = is_last
                            ? output
                            : temporary_like(run.stream, from, shapes[i], axes_[i].axis,
                                             axes_[i].extent, picks_ ? output.dtype : SY_FLOAT32);
      encode_pass(run.stream, axes_[i], from, to);
      from = to;
    }
    for (const ResizedAxis& axis : axes_) encode_outside(run.stream, axis, output);
  }

 private:
  void encode_pass(Stream& stream, const ResizedAxis& axis, const Tensor& from,
                   const Tensor& to) const {
    if (picks_) return encode_pick(device_, stream, from, to, axis.axis, axis.weights.positions);
    encode_weigh(device_, stream, from, to, axis.axis, axis.weights);
  }

  void encode_outside(Stream& stream, const ResizedAxis& axis, const Tensor& output) const {
    if (axis.outside.empty()) return;
    std::array<std::byte, 4> element;
    size_t bytes = sizeof(float);
    if (output.dtype == SY_FLOAT32) {
      std::memcpy(element.data(), &extrapolation_, bytes);
    } else {
      const auto half = static_cast<_Float16>(extrapolation_);
      bytes = sizeof(half);
      std::memcpy(element.data(), &half, bytes);
    }
    encode_cover(device_, stream, output, axis.axis, axis.outside, std::span(element).first(bytes));
  }

  Device& device_;
  const std::vector<ResizedAxis> axes_;
  const bool picks_;
  const float extrapolation_;
};

Prepared make_resize(Device& device, const sy::Node& node) {
  const sy::ResizeAttributes rule(node);
  const bool picks = rule.mode == sy::ResizeMode::nearest;
  return {std::make_unique<ResizeKernel>(device, resized_axes(node), picks, rule.extrapolation),
          SY_ON_SHAPE | SY_ON_DATA};
}

void check_resize(const sy::Node& node) {
  const sy::ResizeAttributes rule(node);
  const sy_dtype dtype = node.required_input(0).dtype;
  if ((float_types & SY_DTYPE_BIT(dtype)) != 0) return;
  if (rule.mode != sy::ResizeMode::nearest) {
    throw sy::unsupported(SY_REASON_DTYPE, "sums of ", sy::dtype_name(dtype));
  }
  if (rule.crops()) {
    throw sy::unsupported(SY_REASON_DTYPE, "tf_crop_and_resize of ", sy::dtype_name(dtype));
  }
}

// True if each element is repeated `times` over.
bool repeats(const ResizedAxis& axis, int64_t times) {
  if (!axis.outside.empty()) return false;
  for (size_t i = 0; i < axis.weights.positions.size(); ++i) {
    if (axis.weights.positions[i] != i / static_cast<size_t>(times)) return false;
  }
  return true;
}

// To the nearest, where that repeats elements: an axis after each that grows is broadcast.
uint32_t lower_resize(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = graph.input(node, 0);
  const GraphBuilder::Shape shape = graph.shape(x);
  std::vector<int64_t> times(shape.size(), 1);
  bool does = sy::ResizeAttributes(node).mode == sy::ResizeMode::nearest;
  for (const ResizedAxis& axis : does ? resized_axes(node) : std::vector<ResizedAxis>()) {
    times[axis.axis] = std::max<int64_t>(axis.extent / shape[axis.axis], 1);
    does = does && axis.extent % shape[axis.axis] == 0 && repeats(axis, times[axis.axis]);
  }
  if (!does) throw sy::unsupported(SY_REASON_ATTRIBUTE, "this Resize has no graph's form");
  GraphBuilder::Shape apart, wide;
  for (size_t i = 0; i < shape.size(); ++i) {
    apart.push_back(shape[i]);
    wide.push_back(shape[i]);
    if (times[i] == 1) continue;
    apart.push_back(1);
    wide.push_back(times[i]);
  }
  const uint32_t repeated = graph.broadcast(graph.reshape(x, apart), wide);
  return graph.reshape(repeated, type_of(node.required_output(0)).shape);
}

}  // namespace

std::span<const KernelRow> resize_rows() {
  static const KernelRow rows[] = {{{.op = "Resize", .dtypes = moved_types, .min_rank = 1},
                                    make_resize,
                                    check_resize,
                                    lower_resize}};
  return rows;
}

}  // namespace mps
