#include "kernels/convolution/sliding_window.hpp"

#include <algorithm>
#include <string_view>

#include "switchyard/plugin/division.hpp"

namespace cpu {
namespace {

std::vector<int64_t> list(const sy::Node& node, std::string_view name) {
  const auto numbers = node.integers(name);
  return {numbers.begin(), numbers.end()};
}

// `numbers`, of the last axes, with `otherwise` before them.
Spatial aligned(sy::Extents numbers, int64_t otherwise) {
  if (numbers.size() > spatial_rank) {
    throw sy::unsupported(SY_REASON_RANK, numbers.size(), " spatial axes are more than ",
                          spatial_rank);
  }
  Spatial made;
  made.fill(otherwise);
  std::copy(numbers.begin(), numbers.end(),
            made.end() - static_cast<std::ptrdiff_t>(numbers.size()));
  return made;
}

}  // namespace

Spatial spatial_of(sy::Extents shape) { return aligned(shape.subspan(2), 1); }

int64_t Window::most_taps() const {
  int64_t taps = 1;
  for (size_t axis = 0; axis < spatial_rank; ++axis) taps *= std::min(kernel[axis], input[axis]);
  return taps;
}

int64_t Window::pad_after(size_t axis) const {
  const int64_t reach = (output[axis] - 1) * stride[axis] + span(axis);
  return std::max<int64_t>(0, reach - input[axis] - pad[axis]);
}

Window::Taps Window::taps_within(size_t axis, int64_t place, int64_t first, int64_t end) const {
  const int64_t from = start(axis, place);
  const int64_t step = dilation[axis];
  const int64_t begin = from >= first ? 0 : sy::divide_up(first - from, step);
  const int64_t last = from >= end ? 0 : sy::divide_up(end - from, step);
  const int64_t kept = std::min(begin, kernel[axis]);
  return {kept, std::clamp(last, kept, kernel[axis])};
}

Window::Places Window::places(size_t axis, int64_t tap) const {
  const int64_t first = start(axis, 0) + tap * dilation[axis];
  const int64_t begin = first >= 0 ? 0 : sy::divide_up(-first, stride[axis]);
  const int64_t end = first >= input[axis] ? 0 : sy::divide_up(input[axis] - first, stride[axis]);
  const int64_t kept = std::min(begin, output[axis]);
  return {kept, std::clamp(end, kept, output[axis])};
}

WindowAttributes::WindowAttributes(const sy::Node& node)
    : kernel_(list(node, "kernel_shape")),
      strides_(list(node, "strides")),
      dilations_(list(node, "dilations")),
      pads_(list(node, "pads")),
      output_padding_(list(node, "output_padding")),
      sized_(!node.integers("output_shape").empty()) {
  const std::string_view text = node.text("auto_pad", "NOTSET");
  if (text == "SAME_UPPER") auto_pad_ = AutoPad::same_upper;
  if (text == "SAME_LOWER") auto_pad_ = AutoPad::same_lower;
  if (text == "VALID") auto_pad_ = AutoPad::valid;
  if (auto_pad_ != AutoPad::notset) pads_.clear();
}

Window WindowAttributes::filled(sy::Extents kernel, sy::Extents input, sy::Extents output) const {
  Window made;
  made.input = aligned(input, 1);
  made.output = aligned(output, 1);
  made.kernel = aligned(kernel, 1);
  made.stride = aligned(strides_, 1);
  made.dilation = aligned(dilations_, 1);
  made.pad = aligned(sy::Extents(pads_).first(pads_.size() / 2), 0);
  made.pad_behind = aligned(sy::Extents(pads_).last(pads_.size() / 2), 0);
  return made;
}

Window WindowAttributes::window(sy::Extents kernel, sy::Extents input, sy::Extents output) const {
  Window made = filled(kernel, input, output);
  if (auto_pad_ != AutoPad::same_upper && auto_pad_ != AutoPad::same_lower) return made;
  for (size_t axis = 0; axis < spatial_rank; ++axis) {
    const int64_t reach = (made.output[axis] - 1) * made.stride[axis] + made.span(axis);
    const int64_t total = std::max<int64_t>(0, reach - made.input[axis]);
    made.pad[axis] = auto_pad_ == AutoPad::same_upper ? total / 2 : total - total / 2;
    made.pad_behind[axis] = total - made.pad[axis];
  }
  return made;
}

Window WindowAttributes::transposed_window(sy::Extents kernel, sy::Extents input,
                                           sy::Extents output) const {
  Window made = filled(kernel, output, input);
  const bool same = auto_pad_ == AutoPad::same_upper || auto_pad_ == AutoPad::same_lower;
  if (!same && !sized_) return made;
  const Spatial extra = aligned(output_padding_, 0);
  for (size_t axis = 0; axis < spatial_rank; ++axis) {
    const int64_t whole =
        (made.output[axis] - 1) * made.stride[axis] + made.span(axis) + extra[axis];
    const int64_t total = std::max<int64_t>(0, whole - made.input[axis]);
    // ONNX: SAME_UPPER puts the smaller half before, everything else the larger one.
    const bool smaller_before = auto_pad_ == AutoPad::same_upper;
    made.pad[axis] = smaller_before ? total / 2 : total - total / 2;
  }
  return made;
}

}  // namespace cpu
