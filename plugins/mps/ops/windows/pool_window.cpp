#include "ops/windows/pool_window.hpp"

#include "runtime/axes.hpp"

namespace mps {
namespace {

// So large that no sum or product of such numbers with extents is met before it overflows.
constexpr int64_t most = int64_t{1} << 24;

int32_t checked(int64_t number, const char* what) {
  if (number >= 0 && number <= most) return static_cast<int32_t>(number);
  throw sy::unsupported(SY_REASON_LIMIT, what, " of ", number, ": this device takes 0 to 16777216");
}

void check_all(const std::vector<int64_t>& numbers, const char* what) {
  for (const int64_t number : numbers) checked(number, what);
}

}  // namespace

void check_window_size(const sy::Node& node) {
  constexpr int64_t most_elements = 1 << 20;
  const sy::WindowAttributes attributes(node);
  const auto kernel = node.integers("kernel_shape");
  int64_t elements = 1;
  for (size_t i = 0; i < kernel.size(); ++i) {
    elements = sy::saturated_multiply(elements, kernel[i]);
    if (elements > most_elements) {
      throw sy::unsupported(SY_REASON_LIMIT, "a window of more than ", most_elements, " elements");
    }
    checked(attributes.axis(i, kernel[i]).span(), "a window, its gaps included,");
  }
}

PoolAttributes::PoolAttributes(const sy::Node& node)
    : given_(node), counts_padding_(node.flag("count_include_pad")) {
  check_window_size(node);
  const auto kernel = node.integers("kernel_shape");
  kernel_.assign(kernel.begin(), kernel.end());
  if (kernel_.size() > PoolWindow::Three().size()) {
    throw sy::unsupported(SY_REASON_RANK, "more than three spatial axes");
  }
  check_all(given_.strides, "a stride");
  check_all(given_.dilations, "a dilation");
  check_all(given_.pads, "a padding");
}

PoolWindow PoolAttributes::window(const Tensor& input, const Tensor& output, const Tensor& read,
                                  const Bound& bound) const {
  PoolWindow window;
  window.counts_padding = counts_padding_ ? 1 : 0;
  window.channels = static_cast<uint32_t>(input.shape[1]);
  window.at = static_cast<uint32_t>(bound.offset);
  for (size_t i = 0; i < 2; ++i) window.steps[i] = int32_step(read.strides[i]);
  const size_t missing = window.size.size() - kernel_.size();
  for (size_t i = 0; i < kernel_.size(); ++i) {
    const size_t to = missing + i;
    const int64_t from = input.shape[2 + i], positions = output.shape[2 + i];
    const sy::WindowAxis axis = given_.axis(i, kernel_[i], from, positions);
    window.input[to] = checked(from, "an extent");
    window.output[to] = checked(positions, "an extent");
    window.size[to] = checked(axis.kernel, "a window");
    window.strides[to] = checked(axis.stride, "a stride");
    window.dilations[to] = checked(axis.dilation, "a dilation");
    window.padding[to] = checked(axis.pad_before, "a padding");
    window.end[to] = checked(from, "an extent") + checked(axis.pad_after, "a padding");
    window.steps[2 + to] = int32_step(read.strides[2 + i]);
  }
  for (size_t i = 0; i < missing; ++i) window.end[i] = 1;
  return window;
}

}  // namespace mps
