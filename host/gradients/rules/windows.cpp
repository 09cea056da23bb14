#include "gradients/rules/windows.hpp"

namespace switchyard {
namespace {

sy::WindowAttributes read(const Attributes& attributes) {
  sy::WindowAttributes made;
  made.auto_pad =
      sy::auto_pad_of(attributes.get_text("auto_pad", "")).value_or(sy::AutoPad::notset);
  made.strides = attributes.get_ints("strides");
  made.dilations = attributes.get_ints("dilations");
  made.pads = attributes.get_ints("pads");
  made.output_padding = attributes.get_ints("output_padding");
  made.has_output_shape = !attributes.get_ints("output_shape").empty();
  return made;
}

template <typename AxisOf>
SlidingWindow window_of(const Dims& kernel, const AxisOf& axis_of) {
  SlidingWindow window;
  for (std::size_t i = 0; i < kernel.size(); ++i) window.push_back(axis_of(i));
  return window;
}

}  // namespace

SlidingWindow sliding_window(const Attributes& attributes, const Dims& kernel) {
  const sy::WindowAttributes given = read(attributes);
  return window_of(kernel, [&](std::size_t i) { return given.axis(i, kernel[i]); });
}

SlidingWindow sliding_window(const Attributes& attributes, const Dims& kernel, const Dims& x,
                             const Dims& y) {
  const sy::WindowAttributes given = read(attributes);
  return window_of(kernel,
                   [&](std::size_t i) { return given.axis(i, kernel[i], x[i + 2], y[i + 2]); });
}

SlidingWindow transposed_window(const Attributes& attributes, const Dims& kernel, const Dims& x,
                                const Dims& y) {
  const sy::WindowAttributes given = read(attributes);
  return window_of(kernel, [&](std::size_t i) {
    return given.transposed_axis(i, kernel[i], x[i + 2], y[i + 2]);
  });
}

Attributes to_attributes(const SlidingWindow& window) {
  std::vector<std::int64_t> dilations, pads, strides;
  for (const sy::WindowAxis& axis : window) {
    dilations.push_back(axis.dilation);
    pads.push_back(axis.pad_before);
    strides.push_back(axis.stride);
  }
  for (const sy::WindowAxis& axis : window) pads.push_back(axis.pad_after);
  Attributes made;
  made.set("dilations", std::move(dilations));
  made.set("pads", std::move(pads));
  made.set("strides", std::move(strides));
  return made;
}

Dims spatial_of(const Dims& shape) { return Dims(shape.span().subspan(2)); }

}  // namespace switchyard
