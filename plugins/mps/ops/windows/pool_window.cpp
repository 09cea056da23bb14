#include "ops/windows/pool_window.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "runtime/axes.hpp"

namespace mps {
namespace {

using Three = PoolWindow::Three;

// So large that no sum or product of such numbers with extents is met before it overflows.
constexpr int64_t most = int64_t{1} << 24;

// `numbers` of the last axes.
void set_last(Three& three, std::span<const int64_t> numbers, const char* what) {
  if (numbers.size() > three.size()) {
    throw sy::unsupported(SY_REASON_RANK, "more than three spatial axes");
  }
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0 || numbers[i] > most) {
      throw sy::unsupported(SY_REASON_LIMIT, what, " of ", numbers[i],
                            ": this device takes 0 to 16777216");
    }
    three[three.size() - numbers.size() + i] = static_cast<int32_t>(numbers[i]);
  }
}

std::span<const int64_t> numbers_of(const sy::Node& node, const char* name) {
  if (!node.has(name)) return {};
  const auto numbers = node.integers(name);
  return {numbers.data(), numbers.size()};
}

}  // namespace

void check_window_size(const sy::Node& node) {
  constexpr int64_t most = 1 << 20;
  int64_t elements = 1;
  for (const int64_t extent : node.integers("kernel_shape")) {
    elements = extent > most ? extent : elements * extent;
    if (elements > most) {
      throw sy::unsupported(SY_REASON_LIMIT, "a window of more than ", most, " elements");
    }
  }
}

PoolAttributes::PoolAttributes(const sy::Node& node) {
  check_window_size(node);
  set_last(attributes_.size, numbers_of(node, "kernel_shape"), "a window");
  set_last(attributes_.strides, numbers_of(node, "strides"), "a stride");
  set_last(attributes_.dilations, numbers_of(node, "dilations"), "a dilation");
  attributes_.counts_padding = node.flag("count_include_pad") ? 1 : 0;
  const std::string_view automatic = node.text("auto_pad", "NOTSET");
  if (automatic == "VALID") kind_ = Padding::none;
  if (automatic == "SAME_UPPER") kind_ = Padding::more_after;
  if (automatic == "SAME_LOWER") kind_ = Padding::more_before;
  if (kind_ != Padding::given) return;
  const auto pads = numbers_of(node, "pads");
  set_last(attributes_.padding, pads.first(pads.size() / 2), "a padding");
  set_last(padding_after_, pads.subspan(pads.size() / 2), "a padding");
}

PoolWindow PoolAttributes::window(const Tensor& input, const Tensor& output, const Tensor& read,
                                  const Bound& bound) const {
  PoolWindow window = attributes_;
  const sy::Extents from = input.shape.subspan(2), to = output.shape.subspan(2);
  set_last(window.input, from, "an extent");
  set_last(window.output, to, "an extent");
  window.channels = static_cast<uint32_t>(input.shape[1]);
  window.at = static_cast<uint32_t>(bound.offset);
  for (size_t i = 0; i < 2; ++i) window.steps[i] = int32_step(read.strides[i]);
  for (size_t i = 0; i < from.size(); ++i) {
    window.steps[window.steps.size() - from.size() + i] = int32_step(read.strides[2 + i]);
  }
  for (size_t i = 0; i < window.end.size(); ++i) {
    window.end[i] = window.input[i] + padding_after_[i];
    if (kind_ == Padding::given || kind_ == Padding::none) continue;
    const int32_t reached =
        (window.output[i] - 1) * window.strides[i] + (window.size[i] - 1) * window.dilations[i] + 1;
    const int32_t needed = std::max(0, reached - window.input[i]);
    window.padding[i] = kind_ == Padding::more_after ? needed / 2 : needed - needed / 2;
    window.end[i] = window.input[i] + needed - window.padding[i];
  }
  return window;
}

}  // namespace mps
