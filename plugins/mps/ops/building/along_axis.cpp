#include "ops/building/along_axis.hpp"

#include <array>
#include <cstring>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/building/elementwise.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

template <typename T>
const Block& uploaded(Stream& stream, const std::vector<T>& numbers) {
  const Block& block = stream.upload_buffer(numbers.size() * sizeof(T));
  std::memcpy(block.buffer->host(), numbers.data(), numbers.size() * sizeof(T));
  return block;
}

sy::Dimensions only(size_t axis, sy::Extents shape) {
  sy::Dimensions strides(shape);
  for (size_t i = 0; i < shape.size(); ++i) strides[i] = i == axis ? 1 : 0;
  return strides;
}

// As kernels/along_axis.metal walks: the input without the axis, the output, the position on the
// axis.
struct Pass {
  Bound input;
  Bound output;
  Axes axes;
  int32_t axis_step;

  Pass(const Tensor& from, const Tensor& to, size_t axis)
      : input(bind(from, 0)), output(bind(to, 1)) {
    sy::Dimensions rest = from.strides;
    rest[axis] = 0;
    const sy::Dimensions positions = only(axis, to.shape);
    const std::array<Walked, 3> walked = {Walked{rest.data.data(), input.offset},
                                          Walked{to.strides.data.data(), output.offset},
                                          Walked{positions.data.data()}};
    axes = make_axes(to.shape, walked);
    axis_step = int32_step(from.strides[axis]);
  }
};

}  // namespace

void encode_pick(Device& device, Stream& stream, const Tensor& input, const Tensor& output,
                 size_t axis, const std::vector<uint32_t>& table) {
  const Pass pass(input, output, axis);
  const auto& pipeline = device.pipeline("pick_" + std::to_string(sy::dtype_bytes(output.dtype)));
  Arguments arguments;
  arguments.add(pass.input).add(pass.output).add(uploaded(stream, table));
  arguments.add_value(pass.axes).add_value(pass.axis_step);
  arguments.run(stream, pipeline, pass.axes.count);
}

void encode_weigh(Device& device, Stream& stream, const Tensor& input, const Tensor& output,
                  size_t axis, const Weights& weights) {
  const Pass pass(input, output, axis);
  // As the kernel reads them.
  const struct {
    int32_t axis_step;
    uint32_t taps;
  } parameters{pass.axis_step, weights.taps};
  const auto& pipeline = device.pipeline(std::string("weigh_") + metal_type(input.dtype) + "_" +
                                         metal_type(output.dtype));
  Arguments arguments;
  arguments.add(pass.input).add(pass.output).add(uploaded(stream, weights.positions));
  arguments.add_value(pass.axes).add_value(parameters).add(uploaded(stream, weights.weights));
  arguments.run(stream, pipeline, pass.axes.count);
}

void encode_cover(Device& device, Stream& stream, const Tensor& output, size_t axis,
                  const std::vector<uint32_t>& table, std::span<const std::byte> element) {
  const Bound bound = bind(output, 0);
  const sy::Dimensions positions = only(axis, output.shape);
  const std::array<Walked, 2> walked = {Walked{output.strides.data.data(), bound.offset},
                                        Walked{positions.data.data()}};
  const Axes axes = make_axes(output.shape, walked);
  const auto& pipeline = device.pipeline("cover_" + std::to_string(element.size()));
  Arguments arguments;
  arguments.add(bound).add(uploaded(stream, table)).add_bytes(element).add_value(axes);
  arguments.run(stream, pipeline, axes.count);
}

Tensor temporary_like(Stream& stream, const Tensor& tensor, sy::Dimensions& shape, size_t axis,
                      int64_t extent, sy_dtype dtype) {
  shape = sy::Dimensions(tensor.shape);
  shape[axis] = extent;
  Tensor made;
  made.dtype = dtype;
  made.shape = shape;
  made.strides = sy::contiguous_strides(shape);
  made.block = &stream.temporary(made.size_bytes());
  return made;
}

}  // namespace mps
