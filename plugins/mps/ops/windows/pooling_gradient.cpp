// MaxPoolGradient, MaxPoolGather and AveragePoolGradient, by kernels/pooling_gradient.metal.
#include <array>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "ops/windows/pool_window.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

Axes axes_of(const Tensor& tensor, const Bound& bound) {
  const std::array<Walked, 1> walked = {Walked{tensor.strides.data.data(), bound.offset}};
  return make_axes(tensor.shape, walked);
}

void encode_zeros(Device& device, Stream& stream, const Tensor& tensor) {
  const std::array<std::byte, 4> zero{};
  encode_fill(device, stream, tensor, std::span(zero).first(sy::dtype_bytes(tensor.dtype)));
}

uint32_t plane_of(const Tensor& tensor) {
  return static_cast<uint32_t>(sy::element_count(tensor.shape.subspan(2)));
}

// The windows are not known here, so the positions of the largest elements are linked first, into a
// list for each element of the result.
class MaxPoolGradientKernel final : public Kernel {
 public:
  MaxPoolGradientKernel(Device& device, const seam::Pipeline& link, const seam::Pipeline& sum)
      : device_(device), link_(link), sum_(sum) {}

  void encode(const Run& run) const override {
    const Tensor &gradients = run.inputs[0], &indices = run.inputs[1], &result = run.outputs[0];
    if (gradients.size() == 0) return encode_zeros(device_, run.stream, result);
    const size_t bytes = static_cast<size_t>(result.size()) * sizeof(uint32_t);
    const Block& heads = run.stream.temporary(bytes);
    const Block& links =
        run.stream.temporary(static_cast<size_t>(gradients.size()) * sizeof(uint32_t));
    run.stream.commands().fill(heads.buffer, 0, bytes, 0);
    encode_links(run.stream, indices, plane_of(result), heads, links);
    const Bound from = bind(gradients, 0), to = bind(result, 1);
    const Axes from_axes = axes_of(gradients, from), to_axes = axes_of(result, to);
    Arguments summing;
    summing.add(from).add(to).add(heads).add(links).add_value(from_axes).add_value(to_axes);
    summing.run(run.stream, sum_, to_axes.count);
  }

 private:
  void encode_links(Stream& stream, const Tensor& indices, uint32_t plane, const Block& heads,
                    const Block& links) const {
    const Bound bound = bind(indices, 0);
    const Axes axes = axes_of(indices, bound);
    const std::array<uint32_t, 2> of_a_plane = {plane_of(indices), plane};
    Arguments linking;
    linking.add(bound).add(heads).add(links).add_value(axes).add_value(of_a_plane);
    linking.add_faults().run(stream, link_, axes.count);
  }

  Device& device_;
  const seam::Pipeline& link_;
  const seam::Pipeline& sum_;
};

class MaxPoolGatherKernel final : public Kernel {
 public:
  explicit MaxPoolGatherKernel(const seam::Pipeline& pipeline) : pipeline_(pipeline) {}

  void encode(const Run& run) const override {
    const Tensor &x = run.inputs[0], &indices = run.inputs[1], &y = run.outputs[0];
    // Nothing is read of an x without elements, but indices of it are still told.
    const Bound bound[3] = {bind(x.size() == 0 ? y : x, 0), bind(indices, 1), bind(y, 2)};
    const std::array<Walked, 2> walked = {Walked{indices.strides.data.data(), bound[1].offset},
                                          Walked{y.strides.data.data(), bound[2].offset}};
    const Axes of = axes_of(x, bound[0]), axes = make_axes(y.shape, walked);
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add(bound[2]).add_value(of).add_value(axes);
    arguments.add_faults().run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
};

class AveragePoolGradientKernel final : public Kernel {
 public:
  AveragePoolGradientKernel(Device& device, const seam::Pipeline& pipeline, const sy::Node& node)
      : device_(device), pipeline_(pipeline), attributes_(node) {}

  void encode(const Run& run) const override {
    const Tensor &gradients = run.inputs[0], &result = run.outputs[0];
    if (gradients.size() == 0) return encode_zeros(device_, run.stream, result);
    const Bound from = bind(gradients, 0), to = bind(result, 1);
    const Axes axes = axes_of(result, to);
    const PoolWindow window = attributes_.window(result, gradients, gradients, from);
    Arguments arguments;
    arguments.add(from).add(to).add_value(axes).add_value(window);
    arguments.run(run.stream, pipeline_, axes.count);
  }

 private:
  Device& device_;
  const seam::Pipeline& pipeline_;
  const PoolAttributes attributes_;
};

Prepared make_max_pool_gradient(Device& device, const sy::Node& node) {
  const auto& sum =
      device.pipeline(std::string("max_pool_gradient_") + metal_type(node.required_input(0).dtype));
  return {std::make_unique<MaxPoolGradientKernel>(device, device.pipeline("pool_link"), sum)};
}

Prepared make_max_pool_gather(Device& device, const sy::Node& node) {
  const std::string size = std::to_string(sy::dtype_bytes(node.required_input(0).dtype));
  return {std::make_unique<MaxPoolGatherKernel>(device.pipeline("max_pool_gather_" + size))};
}

Prepared make_average_pool_gradient(Device& device, const sy::Node& node) {
  const auto& pipeline = device.pipeline(std::string("average_pool_gradient_") +
                                         metal_type(node.required_input(0).dtype));
  return {std::make_unique<AveragePoolGradientKernel>(device, pipeline, node)};
}

void check_average_pool_gradient(const sy::Node& node) { PoolAttributes{node}; }

}  // namespace

std::span<const KernelRow> pooling_gradient_rows() {
  constexpr uint64_t with_indices = float_types | SY_DTYPE_BIT(SY_INT64);
  static const KernelRow rows[] = {{{.op = "MaxPoolGradient",
                                     .domain = "switchyard",
                                     .dtypes = with_indices,
                                     .output_dtypes = float_types,
                                     .min_rank = 3},
                                    make_max_pool_gradient},
                                   {{.op = "MaxPoolGather",
                                     .domain = "switchyard",
                                     .dtypes = with_indices,
                                     .output_dtypes = float_types},
                                    make_max_pool_gather},
                                   {{.op = "AveragePoolGradient",
                                     .domain = "switchyard",
                                     .dtypes = float_types,
                                     .min_rank = 3,
                                     .max_rank = 5},
                                    make_average_pool_gradient,
                                    check_average_pool_gradient}};
  return rows;
}

}  // namespace mps
