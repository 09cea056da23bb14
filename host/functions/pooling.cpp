// Pools: the greatest of, or the average over, windows that slide.
#include <fmt/format.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/beside.hpp"
#include "functions/call.hpp"
#include "functions/require.hpp"
#include "functions/windows.hpp"
#include "ops/describe.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kMaxPool("MaxPool"), kAveragePool("AveragePool"),
    kGlobalAveragePool("GlobalAveragePool");

void check(std::string_view name, const Tensor& x, std::size_t spatial) {
  const auto rank = static_cast<std::int64_t>(spatial) + 2;
  require_floating(name, x);
  require_rank(name, x, rank - 1, rank);
}

Attributes window_of(std::string_view name, std::size_t spatial, const Dims& kernel,
                     const PoolOptions& options) {
  const auto extents = for_each_axis(name, "kernel", kernel, spatial, 1);
  const auto padding = for_each_axis(name, "padding", options.padding, spatial, 0);
  for (std::size_t i = 0; i < spatial; ++i) {
    if (2 * padding[i] <= extents[i]) continue;
    throw Error(ErrorKind::usage, fmt::format("[{}] padding {} is more than half of the kernel {}",
                                              name, describe(options.padding), describe(kernel)));
  }
  return attributes({{"ceil_mode", std::int64_t{options.ceil_mode}},
                     {"kernel_shape", extents},
                     {"pads", both_ends(padding)},
                     {"strides", options.stride.empty()
                                     ? extents
                                     : for_each_axis(name, "stride", options.stride, spatial, 1)}});
}

/// With the places of the greatest where a gradient will ask for them.
Tensor max_pool(std::string_view name, std::size_t spatial, const Tensor& x, const Dims& kernel,
                const PoolOptions& options) {
  check(name, x, spatial);
  Attributes window = window_of(name, spatial, kernel, options);
  window.set("dilations", for_each_axis(name, "dilation", options.dilation, spatial, 1));
  return with_batch(x, spatial, [&](const Tensor& batch) {
    const bool noted = is_grad_enabled() && batch.requires_grad();
    return noted ? kMaxPool.outputs(2, {batch}, window)[0] : kMaxPool({batch}, window);
  });
}

Tensor average_pool(std::string_view name, std::size_t spatial, const Tensor& x, const Dims& kernel,
                    const PoolOptions& options) {
  check(name, x, spatial);
  Attributes window = window_of(name, spatial, kernel, options);
  window.set("count_include_pad", std::int64_t{options.count_include_pad});
  return with_batch(x, spatial, [&](const Tensor& batch) { return kAveragePool({batch}, window); });
}

/// Row i of an `out` by `in` matrix averages over window i of those that cut `in` into `out`.
Tensor averages(std::int64_t in, std::int64_t out, const Tensor& like) {
  std::vector<double> shares(static_cast<std::size_t>(in * out), 0.0);
  for (std::int64_t i = 0; i < out; ++i) {
    const std::int64_t start = i * in / out, end = ((i + 1) * in + out - 1) / out;
    for (std::int64_t j = start; j < end; ++j) {
      shares[static_cast<std::size_t>(i * in + j)] = 1.0 / static_cast<double>(end - start);
    }
  }
  return place(Tensor::of({out, in}, shares), beside(like));
}

}  // namespace

Tensor max_pool1d(const Tensor& x, const Dims& kernel, const PoolOptions& options) {
  return max_pool("max_pool1d", 1, x, kernel, options);
}
Tensor max_pool2d(const Tensor& x, const Dims& kernel, const PoolOptions& options) {
  return max_pool("max_pool2d", 2, x, kernel, options);
}
Tensor avg_pool1d(const Tensor& x, const Dims& kernel, const PoolOptions& options) {
  return average_pool("avg_pool1d", 1, x, kernel, options);
}
Tensor avg_pool2d(const Tensor& x, const Dims& kernel, const PoolOptions& options) {
  return average_pool("avg_pool2d", 2, x, kernel, options);
}

/// Windows of one size slide; others are rows of matrices that multiply from both sides.
Tensor adaptive_avg_pool2d(const Tensor& x, const Dims& output) {
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
  const Tensor along_width = transpose(averages(width, out[1], x), 0, 1);
  return matmul(averages(height, out[0], x), matmul(x, along_width));
}

}  // namespace switchyard
