#include "kernels/convolution/sliding_window.hpp"

#include <algorithm>

namespace cpu {
namespace {

// `numbers`, of the last axes, with 1 before them.
Spatial aligned(sy::Extents numbers) {
  if (numbers.size() > spatial_rank) {
    throw sy::unsupported(SY_REASON_RANK, numbers.size(), " spatial axes are more than ",
                          spatial_rank);
  }
  Spatial made;
  made.fill(1);
  std::copy(numbers.begin(), numbers.end(),
            made.end() - static_cast<std::ptrdiff_t>(numbers.size()));
  return made;
}

// `axis(i)` is the window on axis i of those that there are.
template <typename Axis>
Window window_of(sy::Extents kernel, sy::Extents input, sy::Extents output, Axis&& axis) {
  Window made{.input = aligned(input),
              .output = aligned(output),
              .kernel = aligned(kernel),
              .stride = aligned({}),
              .dilation = aligned({}),
              .pad = {},
              .pad_behind = {}};
  for (size_t i = 0; i < kernel.size(); ++i) {
    const sy::WindowAxis on = axis(i);
    const size_t at = spatial_rank - kernel.size() + i;
    made.stride[at] = on.stride;
    made.dilation[at] = on.dilation;
    made.pad[at] = on.pad_before;
    made.pad_behind[at] = on.pad_after;
  }
  return made;
}

}  // namespace

Spatial spatial_of(sy::Extents shape) { return aligned(shape.subspan(2)); }

int64_t Window::most_taps() const {
  int64_t taps = 1;
  for (size_t axis = 0; axis < spatial_rank; ++axis) taps *= std::min(kernel[axis], input[axis]);
  return taps;
}

int64_t Window::pad_after(size_t axis) const {
  return std::max<int64_t>(0, on(axis).reach(output[axis]) - input[axis] - pad[axis]);
}

WindowAttributes::WindowAttributes(const sy::Node& node) : given_(node) {
  const auto numbers = node.integers("kernel_shape");
  kernel_.assign(numbers.begin(), numbers.end());
}

Window WindowAttributes::window(sy::Extents kernel, sy::Extents input, sy::Extents output) const {
  return window_of(kernel, input, output,
                   [&](size_t i) { return given_.axis(i, kernel[i], input[i], output[i]); });
}

Window WindowAttributes::transposed_window(sy::Extents kernel, sy::Extents input,
                                           sy::Extents output) const {
  return window_of(kernel, output, input, [&](size_t i) {
    return given_.transposed_axis(i, kernel[i], input[i], output[i]);
  });
}

}  // namespace cpu
