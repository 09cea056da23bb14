// Pools: the greatest of, or the average over, windows that slide.
#include <fmt/format.h>

#include <algorithm>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "device/within_memory.hpp"
#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/neural/windows.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "tensor/host_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kMaxPool("MaxPool"), kAveragePool("AveragePool"),
    kGlobalAveragePool("GlobalAveragePool");

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

/// The windows that cut a dimension into `out` parts, as lines that are as long as the longest.
struct UnevenWindows {
  UnevenWindows(std::int64_t in, std::int64_t out) {
    const auto start = [&](std::int64_t i) { return i * in / out; };
    const auto end = [&](std::int64_t i) { return ceil_div((i + 1) * in, out); };
    for (std::int64_t i = 0; i < out; ++i) longest = std::max(longest, end(i) - start(i));
    for (std::int64_t i = 0; i < out; ++i) {
      counts.push_back(static_cast<double>(end(i) - start(i)));
      for (std::int64_t at = start(i); at < start(i) + longest; ++at) {
        positions.push_back(std::min(at, in - 1));
        inside.push_back(at < end(i) ? 1 : 0);
      }
    }
  }
  std::int64_t longest = 0;
  std::vector<std::int64_t> positions;  // of each element of each line
  std::vector<std::uint8_t> inside;     // likewise: whether it belongs to the window
  std::vector<double> counts;           // of each window's own elements
};

/// Makes room for their positions, and for what comes of them, or throws before they are counted.
UnevenWindows uneven_windows(const Tensor& x, std::int64_t dim, std::int64_t out) {
  Dims made = x.shape();
  made[static_cast<std::size_t>(dim)] = out;
  require_memory(x, x.dtype(), made);
  require_memory(x, DType::int64, {out, ceil_div(x.size(dim), out)});
  return within_memory("adaptive_avg_pool2d", [&] { return UnevenWindows(x.size(dim), out); });
}

/// Averages over such windows along a dimension.
Tensor window_means(const Tensor& x, std::int64_t dim, std::int64_t out) {
  const UnevenWindows windows = uneven_windows(x, dim, out);
  const TensorOptions options = options_like(x);
  const auto along = [&](std::int64_t extent) {
    Dims shape = Dims::filled(x.shape().size() + 1, 1);
    shape[static_cast<std::size_t>(dim)] = out;
    shape[static_cast<std::size_t>(dim) + 1] = extent;
    return shape;
  };
  const auto count = static_cast<std::int64_t>(windows.positions.size());
  const Tensor positions =
      place(host_tensor({count}, windows.positions), {.device = options.device});
  const Tensor inside =
      place(host_tensor_from_bytes(
                DType::bool_,
                {reinterpret_cast<const std::byte*>(windows.inside.data()), windows.inside.size()},
                along(windows.longest)),
            {.device = options.device});
  const Tensor lines = unflatten(index_select(x, dim, positions), dim, {out, windows.longest});
  const Tensor totals = sum(where(inside, lines, 0), {dim + 1}, true);
  return squeeze(div(totals, place(host_tensor(along(1), windows.counts), options)), dim + 1);
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
Tensor avg_pool1d(const Tensor& x, const Dims& kernel, const AvgPoolOptions& options) {
  const CalledFunction here;
  return average_pool("avg_pool1d", 1, x, kernel, options);
}
Tensor avg_pool2d(const Tensor& x, const Dims& kernel, const AvgPoolOptions& options) {
  const CalledFunction here;
  return average_pool("avg_pool2d", 2, x, kernel, options);
}

/// Windows of one size slide; others are gathered, along one dimension after the other.
Tensor adaptive_avg_pool2d(const Tensor& x, const Dims& output) {
  const CalledFunction here;
  check("adaptive_avg_pool2d", x, 2);
  const auto out = for_each_axis("adaptive_avg_pool2d", "output", output, 2, 1);
  const std::size_t first = x.shape().size() - 2;
  const std::int64_t height = x.shape()[first], width = x.shape()[first + 1];
  if (out[0] == 1 && out[1] == 1) {
    return with_batch(x, 2, [](const Tensor& batch) { return kGlobalAveragePool(batch); });
  }
  if (height % out[0] == 0 && width % out[1] == 0 && height > 0 && width > 0) {
    return avg_pool2d(x, {height / out[0], width / out[1]});
  }
  if (height == 0 || width == 0) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[adaptive_avg_pool2d] an input {} has no elements "
                            "to average over",
                            describe(x.shape())));
  }
  return window_means(window_means(x, -1 + x.dim(), out[1]), -2 + x.dim(), out[0]);
}

}  // namespace switchyard
