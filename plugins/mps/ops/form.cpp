// Concat and Gather: elements from one place to another, by kernels/copy.metal and gather.metal.
#include <algorithm>
#include <array>
#include <string>

#include "ops/elementwise.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

size_t axis_of(const sy::Node& node, int64_t otherwise) {
  const sy_value& input = node.needed_input(0);
  if (!sy::has_rank(input)) {
    throw sy::unsupported(SY_REASON_RANK, "the rank is not known before the run");
  }
  const int64_t axis = node.integer("axis", otherwise);
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(input.rank) : axis);
}

// Copies each input to its part of the output.
class ConcatKernel final : public Kernel {
 public:
  ConcatKernel(Device& device, size_t axis) : device_(device), axis_(axis) {}

  void encode(const Run& run) const override {
    Tensor part = run.outputs[0];
    const auto bytes = static_cast<int64_t>(sy::dtype_bytes(part.dtype));
    for (const Tensor& input : run.inputs) {
      if (input.size() == 0) continue;
      part.shape = input.shape;
      encode_copy(device_, run.stream, input, part);
      part.offset_bytes +=
          static_cast<uint64_t>(input.shape[axis_] * part.strides[axis_] * bytes);
    }
  }

 private:
  Device& device_;
  const size_t axis_;
};

Prepared make_concat(Device& device, const sy::Node& node) {
  return {std::make_unique<ConcatKernel>(device, axis_of(node, 0)), SY_ON_SHAPE};
}

// As kernels/gather.metal reads them.
struct GatherParameters {
  uint32_t axis_extent;
  int32_t axis_step;
};

class GatherKernel final : public Kernel {
 public:
  GatherKernel(const seam::Pipeline& pipeline, size_t axis) : pipeline_(pipeline), axis_(axis) {}

  // The result's axes are the input's before the axis, the indices', and the input's after it.
  void encode(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const Tensor& indices = run.inputs[1];
    const Tensor& output = run.outputs[0];
    sy::Dimensions input_strides(output.shape);
    sy::Dimensions index_strides(output.shape);
    const size_t index_rank = indices.shape.size();
    for (size_t i = 0; i < output.shape.size(); ++i) {
      const bool is_index = i >= axis_ && i < axis_ + index_rank;
      index_strides[i] = is_index ? indices.strides[i - axis_] : 0;
      const size_t own = i < axis_ ? i : i - index_rank + 1;
      input_strides[i] = is_index ? 0 : input.strides[own];
    }
    const Bound bound[3] = {bind(input, 0), bind(indices, 1), bind(output, 2)};
    const std::array<Walked, 3> walked = {Walked{input_strides.data.data(), bound[0].offset},
                                          Walked{index_strides.data.data(), bound[1].offset},
                                          Walked{output.strides.data.data(), bound[2].offset}};
    const Axes axes = make_axes(output.shape, walked);
    const GatherParameters parameters{static_cast<uint32_t>(input.shape[axis_]),
                                      static_cast<int32_t>(input.strides[axis_])};
    const std::array<seam::Argument, 6> arguments = {
        bound[0].argument,
        bound[1].argument,
        bound[2].argument,
        seam::Argument{3, nullptr, 0, std::as_bytes(std::span(&axes, 1))},
        seam::Argument{4, nullptr, 0, std::as_bytes(std::span(&parameters, 1))},
        seam::Argument{5, run.stream.faults(), 0, {}}};
    seam::Dispatch dispatch;
    dispatch.pipeline = &pipeline_;
    dispatch.arguments = arguments;
    dispatch.threads = {axes.count, 1, 1};
    dispatch.group = {std::min(axes.count, 256u), 1, 1};
    run.stream.commands().dispatch(dispatch);
  }

 private:
  const seam::Pipeline& pipeline_;
  const size_t axis_;
};

Prepared make_gather(Device& device, const sy::Node& node) {
  const std::string size = std::to_string(sy::dtype_bytes(node.needed_input(0).dtype));
  const auto& pipeline =
      device.pipeline("gather_" + size + "_" + metal_type(node.needed_input(1).dtype));
  return {std::make_unique<GatherKernel>(pipeline, axis_of(node, 0)), SY_ON_SHAPE};
}

void check_gather(const sy::Node& node) {
  const sy_dtype dtype = node.needed_input(1).dtype;
  if (dtype != SY_INT32 && dtype != SY_INT64) {
    throw sy::unsupported(SY_REASON_DTYPE, "indices of ", sy::dtype_name(dtype));
  }
}

std::vector<Row> make_rows() {
  constexpr uint64_t all = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16) |
                           SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8) |
                           SY_DTYPE_BIT(SY_INT16) | SY_DTYPE_BIT(SY_INT32) |
                           SY_DTYPE_BIT(SY_INT64) | SY_DTYPE_BIT(SY_BOOL);
  return {{{.op = "Concat", .dtypes = all, .min_rank = 1}, make_concat},
          {{.op = "Gather", .dtypes = all}, make_gather, check_gather}};
}

}  // namespace

std::span<const Row> form_rows() {
  static const std::vector<Row> rows = make_rows();
  return rows;
}

}  // namespace mps
