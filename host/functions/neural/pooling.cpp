// Pools: the greatest of, or the average over, windows that slide.
#include <fmt/format.h>

#include <algorithm>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/require.hpp"
#include "functions/neural/windows.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kMaxPool("MaxPool"), kAveragePool("AveragePool");

void check(std::string_view name, const Tensor& x, std::size_t spatial) {
  const auto rank = static_cast<std::int64_t>(spatial) + 2;
  require_floating(name, x);
  require_rank(name, x, rank - 1, rank);
}

/// A pool of ONNX takes windows that hang over both ends; PyTorch wants room for one, or with
/// ceil_mode a stride less.
void check_window_fits(std::string_view name, const Tensor& x, const Attributes& window) {
  const auto kernel = window.get_ints("kernel_shape"), strides = window.get_ints("strides");
  const auto pads = window.get_ints("pads"), dilations = window.get_ints("dilations");
  const std::size_t first = x.shape().size() - kernel.size();
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    const std::int64_t padded = add_extents(x.shape()[first + i], add_extents(pads[i], pads[i]));
    const std::int64_t span =
        add_extents(multiply_extents(kernel[i] - 1, dilations.empty() ? 1 : dilations[i]), 1);
    const std::int64_t spared = window.get_int("ceil_mode", 0) != 0 ? strides[i] - 1 : 0;
    if (span - spared <= padded) continue;
    throw Error(
        ErrorKind::shape_mismatch,
        fmt::format("[{}] the window spans {} elements of dimension {}, but an input {} has "
                    "only {} there, padding included",
                    name, span, first + i, describe(x.shape()), padded));
  }
}

template <typename Options>
Attributes window_of(std::string_view name, std::size_t spatial, const Dims& kernel,
                     const Options& options) {
  const auto extents = for_each_axis(name, "kernel", kernel, spatial, 1);
  const auto padding = for_each_axis(name, "padding", options.padding, spatial, 0);
  for (std::size_t i = 0; i < spatial; ++i) {
    if (padding[i] <= extents[i] / 2) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] padding {} is more than half of the kernel {}", name,
                            listed(options.padding), listed(kernel)));
  }
  return attributes({{"ceil_mode", std::int64_t{options.ceil_mode}},
                     {"kernel_shape", extents},
                     {"pads", both_ends(padding)},
                     {"strides", options.stride.empty()
                                     ? extents
                                     : for_each_axis(name, "stride", options.stride, spatial, 1)}});
}

/// With the positions of the greatest where a gradient will ask for them.
Tensor max_pool(std::string_view name, std::size_t spatial, const Tensor& x, const Dims& kernel,
                const MaxPoolOptions& options) {
  check(name, x, spatial);
  Attributes window = window_of(name, spatial, kernel, options);
  window.set("dilations", for_each_axis(name, "dilation", options.dilation, spatial, 1));
  check_window_fits(name, x, window);
  return with_batch(x, spatial, [&](const Tensor& batch) {
    const bool recorded = is_grad_enabled() && batch.requires_grad();
    return recorded ? kMaxPool.outputs(2, {batch}, window)[0] : kMaxPool({batch}, window);
  });
}

Tensor average_pool(std::string_view name, std::size_t spatial, const Tensor& x, const Dims& kernel,
                    const AvgPoolOptions& options) {
  check(name, x, spatial);
  Attributes window = window_of(name, spatial, kernel, options);
  window.set("count_include_pad", std::int64_t{options.count_include_pad});
  check_window_fits(name, x, window);
  return with_batch(x, spatial, [&](const Tensor& batch) { return kAveragePool({batch}, window); });
}

}  // namespace

Tensor max_pool1d(const Tensor& x, const Dims& kernel, const MaxPoolOptions& options) {
  const CalledFunction here;
  return max_pool("max_pool1d", 1, x, kernel, options);
}
Tensor max_pool2d(const Tensor& x, const Dims& kernel, const MaxPoolOptions& options) {
  const CalledFunction here;
  return max_pool("max_pool2d", 2, x, kernel, options);
}
Tensor max_pool3d(const Tensor& x, const Dims& kernel, const MaxPoolOptions& options) {
  const CalledFunction here;
  return max_pool("max_pool3d", 3, x, kernel, options);
}
Tensor avg_pool1d(const Tensor& x, const Dims& kernel, const AvgPoolOptions& options) {
  const CalledFunction here;
  return average_pool("avg_pool1d", 1, x, kernel, options);
}
Tensor avg_pool2d(const Tensor& x, const Dims& kernel, const AvgPoolOptions& options) {
  const CalledFunction here;
  return average_pool("avg_pool2d", 2, x, kernel, options);
}
Tensor avg_pool3d(const Tensor& x, const Dims& kernel, const AvgPoolOptions& options) {
  const CalledFunction here;
  return average_pool("avg_pool3d", 3, x, kernel, options);
}

}  // namespace switchyard
