// Pools whose windows cut dimensions into a given number of parts.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
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

constinit const EagerOp kGlobalAveragePool("GlobalAveragePool");

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
UnevenWindows uneven_windows(std::string_view name, const Tensor& x, std::int64_t dim,
                             std::int64_t out) {
  Dims made = x.shape();
  made[static_cast<std::size_t>(dim)] = out;
  require_memory(x, x.dtype(), made);
  require_memory(x, DType::int64, {out, ceil_div(x.size(dim), out)});
  return within_memory(name, [&] { return UnevenWindows(x.size(dim), out); });
}

/// Such windows along a dimension of `x`, each in a line of its own; what a line has beyond its
/// window is `beyond`.
Tensor window_lines(const Tensor& x, std::int64_t dim, const UnevenWindows& windows,
                    double beyond) {
  const std::optional<Device> device = options_like(x).device;
  const auto out = static_cast<std::int64_t>(windows.counts.size());
  const auto count = static_cast<std::int64_t>(windows.positions.size());
  const Tensor positions = place(host_tensor({count}, windows.positions), {.device = device});
  Dims along = Dims::filled(x.shape().size() + 1, 1);
  along[static_cast<std::size_t>(dim)] = out;
  along[static_cast<std::size_t>(dim) + 1] = windows.longest;
  const std::span<const std::uint8_t> inside = windows.inside;
  const Tensor mask =
      place(host_tensor_from_bytes(DType::bool_, std::as_bytes(inside), along), {.device = device});
  const Tensor lines = unflatten(index_select(x, dim, positions), dim, {out, windows.longest});
  return where(mask, lines, beyond);
}

Tensor window_means(std::string_view name, const Tensor& x, std::int64_t dim, std::int64_t out) {
  const UnevenWindows windows = uneven_windows(name, x, dim, out);
  const Tensor totals = sum(window_lines(x, dim, windows, 0), {dim + 1});
  Dims along = Dims::filled(x.shape().size(), 1);
  along[static_cast<std::size_t>(dim)] = out;
  return div(totals, place(host_tensor(along, windows.counts), options_like(x)));
}

/// The first of equal elements is taken, along one dimension after the other: in the order of the
/// elements.
Tensor window_maxima(std::string_view name, const Tensor& x, std::int64_t dim, std::int64_t out) {
  const UnevenWindows windows = uneven_windows(name, x, dim, out);
  const Tensor lines = window_lines(x, dim, windows, -std::numeric_limits<double>::infinity());
  return max(lines, dim + 1).values;
}

/// A pool over windows of one size, one over others, and how many dimensions both are for.
struct AdaptivePool {
  std::string_view name;
  std::size_t spatial;
  Tensor (*even)(const Tensor& x, const Dims& kernel);
  Tensor (*uneven)(std::string_view name, const Tensor& x, std::int64_t dim, std::int64_t out);

  /// The number of parts of each dimension, of an input that has elements to pool.
  std::vector<std::int64_t> checked(const Tensor& x, const Dims& output) const {
    const auto rank = static_cast<std::int64_t>(spatial) + 2;
    require_floating(name, x);
    require_rank(name, x, rank - 1, rank);
    return for_each_axis(name, "output", output, spatial, 1);
  }

  /// Windows of one size slide; others are gathered, along one dimension after the other.
  Tensor operator()(const Tensor& x, const std::vector<std::int64_t>& out) const {
    const std::size_t first = x.shape().size() - spatial;
    const Dims extents(x.shape().span().subspan(first));
    if (element_count(extents) == 0) {
      throw Error(ErrorKind::shape_mismatch, fmt::format("[{}] an input {} has no elements to pool",
                                                         name, describe(x.shape())));
    }
    Dims kernel;
    for (std::size_t i = 0; i < spatial; ++i) {
      if (extents[i] % out[i] == 0) kernel.push_back(extents[i] / out[i]);
    }
    if (kernel.size() == spatial) return even(x, kernel);
    Tensor pooled = x;
    for (std::size_t i = spatial; i-- > 0;) {
      pooled = uneven(name, pooled, static_cast<std::int64_t>(first + i), out[i]);
    }
    return pooled;
  }
};

Tensor average(const AdaptivePool& pool, const Tensor& x, const Dims& output) {
  const auto out = pool.checked(x, output);
  if (std::all_of(out.begin(), out.end(), [](std::int64_t n) { return n == 1; })) {
    return with_batch(x, pool.spatial,
                      [](const Tensor& batch) { return kGlobalAveragePool(batch); });
  }
  return pool(x, out);
}

Tensor maximum_of_parts(const AdaptivePool& pool, const Tensor& x, const Dims& output) {
  return pool(x, pool.checked(x, output));
}

constexpr AdaptivePool kAverages[] = {
    {"adaptive_avg_pool1d", 1, [](const Tensor& x, const Dims& k) { return avg_pool1d(x, k); },
     window_means},
    {"adaptive_avg_pool2d", 2, [](const Tensor& x, const Dims& k) { return avg_pool2d(x, k); },
     window_means},
    {"adaptive_avg_pool3d", 3, [](const Tensor& x, const Dims& k) { return avg_pool3d(x, k); },
     window_means}};
constexpr AdaptivePool kMaxima[] = {
    {"adaptive_max_pool1d", 1, [](const Tensor& x, const Dims& k) { return max_pool1d(x, k); },
     window_maxima},
    {"adaptive_max_pool2d", 2, [](const Tensor& x, const Dims& k) { return max_pool2d(x, k); },
     window_maxima},
    {"adaptive_max_pool3d", 3, [](const Tensor& x, const Dims& k) { return max_pool3d(x, k); },
     window_maxima}};

}  // namespace

Tensor adaptive_avg_pool1d(const Tensor& x, const Dims& output) {
  const CalledFunction here;
  return average(kAverages[0], x, output);
}
Tensor adaptive_avg_pool2d(const Tensor& x, const Dims& output) {
  const CalledFunction here;
  return average(kAverages[1], x, output);
}
Tensor adaptive_avg_pool3d(const Tensor& x, const Dims& output) {
  const CalledFunction here;
  return average(kAverages[2], x, output);
}

Tensor adaptive_max_pool1d(const Tensor& x, const Dims& output) {
  const CalledFunction here;
  return maximum_of_parts(kMaxima[0], x, output);
}
Tensor adaptive_max_pool2d(const Tensor& x, const Dims& output) {
  const CalledFunction here;
  return maximum_of_parts(kMaxima[1], x, output);
}
Tensor adaptive_max_pool3d(const Tensor& x, const Dims& output) {
  const CalledFunction here;
  return maximum_of_parts(kMaxima[2], x, output);
}

}  // namespace switchyard
