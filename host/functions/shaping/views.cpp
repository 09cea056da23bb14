// Views: other shapes and strides over the same elements.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kReshape("Reshape"), kTranspose("Transpose"), kSqueeze("Squeeze"),
    kUnsqueeze("Unsqueeze"), kExpand("Expand"), kSlice("Slice"), kSplit("Split");

std::size_t position(std::int64_t dim) { return static_cast<std::size_t>(dim); }

/// The shape with its -1 filled in.
Dims completed(const Tensor& x, const Dims& shape) {
  Dims result = shape;
  std::int64_t known = 1, open = -1;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == -1 && open < 0) {
      open = static_cast<std::int64_t>(i);
    } else {
      const bool wraps = __builtin_mul_overflow(known, result[i], &known);
      if (wraps || result[i] < 0) known = -1;
    }
    if (known < 0) break;
  }
  if (open >= 0 && known > 0 && x.size() % known == 0) result[position(open)] = x.size() / known;
  if (known < 0 || element_count(result) != x.size() ||
      std::any_of(result.begin(), result.end(), [](std::int64_t e) { return e < 0; })) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[reshape] {} elements of shape {} do not make shape {}", x.size(),
                            describe(x.shape()), listed(shape)));
  }
  return result;
}

}  // namespace

Tensor reshape(const Tensor& x, const Dims& shape) {
  const CalledFunction here;
  const Dims wanted = completed(x, shape);
  if (wanted == x.shape()) return x;
  return kReshape({x, int64s(wanted)}, attributes({{"allowzero", std::int64_t{1}}}));
}

Tensor flatten(const Tensor& x, Dim start_dim, Dim end_dim) {
  const CalledFunction here;
  const auto start = position(normalize_axis("flatten", start_dim, x.dim()));
  const auto end = position(normalize_axis("flatten", end_dim, x.dim()));
  if (x.dim() == 0) return reshape(x, {1});
  if (start > end) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[flatten] dimension {} comes after {}", start_dim, end_dim));
  }
  Dims shape;
  for (std::size_t d = 0; d < x.shape().size(); ++d) {
    if (d > start && d <= end) {
      shape[start] *= x.shape()[d];
    } else {
      shape.push_back(x.shape()[d]);
    }
  }
  return reshape(x, shape);
}

Tensor unflatten(const Tensor& x, Dim dim, const Dims& shape) {
  const CalledFunction here;
  const auto at = position(normalize_axis("unflatten", dim, x.dim()));
  std::int64_t known = 1;
  for (const std::int64_t e : shape) known *= e == -1 ? 1 : e;
  const auto open = std::count(shape.begin(), shape.end(), -1);
  const std::int64_t whole = x.dim() == 0 ? 1 : x.shape()[at];
  if (open > 1 || (open == 1 ? known <= 0 || whole % known != 0 : known != whole)) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[unflatten] extent {} of shape {} does not make {}", whole,
                            describe(x.shape()), listed(shape)));
  }
  Dims result;
  for (std::size_t d = 0; d < x.shape().size(); ++d) {
    if (d != at) {
      result.push_back(x.shape()[d]);
      continue;
    }
    for (const std::int64_t e : shape) {
      result.push_back(e == -1 ? whole / known : e);
    }
  }
  return reshape(x, result);
}

Tensor permute(const Tensor& x, const Dims& dims) {
  const CalledFunction here;
  const Dims order = normalize_axes("permute", dims, x.dim());
  if (order.size() != x.shape().size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[permute] {} does not name all {} dimensions", listed(dims), x.dim()));
  }
  return kTranspose({x},
                    attributes({{"perm", std::vector<std::int64_t>(order.begin(), order.end())}}));
}

Tensor transpose(const Tensor& x, Dim dim0, Dim dim1) {
  const CalledFunction here;
  const std::size_t first = position(normalize_axis("transpose", dim0, x.dim()));
  const std::size_t second = position(normalize_axis("transpose", dim1, x.dim()));
  if (x.dim() == 0) return x;
  Dims order = Dims::filled(x.shape().size(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[first], order[second]);
  return permute(x, order);
}

Tensor movedim(const Tensor& x, Dim source, Dim destination) {
  const CalledFunction here;
  const std::int64_t from = normalize_axis("movedim", source, x.dim());
  const std::int64_t to = normalize_axis("movedim", destination, x.dim());
  if (x.dim() == 0) return x;
  Dims order = Dims::filled(x.shape().size(), 0);
  std::iota(order.begin(), order.end(), 0);
  order.erase(position(from));
  order.insert(position(to), from);
  return permute(x, order);
}

Tensor squeeze(const Tensor& x) {
  const CalledFunction here;
  Dims ones;
  for (std::int64_t d = 0; d < x.dim(); ++d) {
    if (extent(x, d) == 1) ones.push_back(d);
  }
  return ones.empty() ? x : kSqueeze({x, int64s(ones)});
}

Tensor squeeze(const Tensor& x, Dim dim) {
  const CalledFunction here;
  const std::int64_t at = normalize_axis("squeeze", dim, x.dim());
  if (x.dim() == 0 || extent(x, at) != 1) return x;
  return kSqueeze({x, int64s(Dims{at})});
}

Tensor unsqueeze(const Tensor& x, Dim dim) {
  const CalledFunction here;
  return kUnsqueeze({x, int64s(Dims{normalize_axis("unsqueeze", dim, x.dim() + 1)})});
}

Tensor expand(const Tensor& x, const Dims& shape) {
  const CalledFunction here;
  Dims wanted = shape;
  const auto added = static_cast<std::int64_t>(shape.size()) - x.dim();
  bool fits = added >= 0;
  for (std::size_t d = 0; fits && d < wanted.size(); ++d) {
    const std::int64_t in = static_cast<std::int64_t>(d) - added;
    if (wanted[d] == -1 && in >= 0) wanted[d] = extent(x, in);
    fits = wanted[d] >= 0 && (in < 0 || extent(x, in) == 1 || extent(x, in) == wanted[d]);
  }
  if (!fits) {
    throw Error(ErrorKind::shape_mismatch, fmt::format("[expand] shape {} does not expand to {}",
                                                       describe(x.shape()), listed(shape)));
  }
  return wanted == x.shape() ? x : kExpand({x, int64s(wanted)});
}

Tensor broadcast_to(const Tensor& x, const Dims& shape) {
  const CalledFunction here;
  return expand(x, shape);
}

Tensor slice(const Tensor& x, Dim dim, Int start, Int end, Int step) {
  const CalledFunction here;
  require_rank("slice", x, 1, std::numeric_limits<std::int64_t>::max());
  require_at_least("slice", "step", step, 1);
  const std::int64_t at = normalize_axis("slice", dim, x.dim());
  return kSlice({x, int64s(Dims{start}), int64s(Dims{end}), int64s(Dims{at}), int64s(Dims{step})});
}

Tensor narrow(const Tensor& x, Dim dim, Int start, Int length) {
  const CalledFunction here;
  require_rank("narrow", x, 1, std::numeric_limits<std::int64_t>::max());
  const std::int64_t whole = extent(x, normalize_axis("narrow", dim, x.dim()));
  const std::int64_t from = start + (start < 0 ? whole : 0);
  if (from < 0 || length < 0 || from > whole - length) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[narrow] {} elements from {} do not lie in dimension {} of shape {}",
                            length, start, dim, describe(x.shape())));
  }
  return slice(x, dim, from, from + length);
}

Tensor select(const Tensor& x, Dim dim, Int index) {
  const CalledFunction here;
  require_rank("select", x, 1, std::numeric_limits<std::int64_t>::max());
  const std::int64_t whole = extent(x, normalize_axis("select", dim, x.dim()));
  if (index < -whole || index >= whole) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[select] index {} lies outside dimension {} of shape {}", index, dim,
                            describe(x.shape())));
  }
  return squeeze(narrow(x, dim, index, 1), dim);
}

namespace {

constexpr std::size_t kMostOutputs = 63;  // of a call: the mask of those wanted has no more bits

/// Each part is a tensor, of however few elements.
void require_memory_for_parts(const Tensor& x, std::int64_t count) {
  require_memory(x, DType::uint8, {count, std::int64_t{sizeof(TensorImpl)}});
}

std::vector<Tensor> split_in_groups(const Tensor& x, const Dims& sizes, std::int64_t dim) {
  std::vector<Dims> groups;
  Dims wholes;
  for (std::size_t start = 0; start < sizes.size(); start += kMostOutputs) {
    const std::size_t count = std::min(kMostOutputs, sizes.size() - start);
    groups.emplace_back(sizes.span().subspan(start, count));
    wholes.push_back(std::accumulate(groups.back().begin(), groups.back().end(), std::int64_t{0}));
  }
  std::vector<Tensor> parts;
  const std::vector<Tensor> grouped = split(x, wholes, dim);
  for (std::size_t i = 0; i < grouped.size(); ++i) {
    for (Tensor& part : split(grouped[i], groups[i], dim)) parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

std::vector<Tensor> split(const Tensor& x, const Dims& sizes, Dim dim) {
  const CalledFunction here;
  require_rank("split", x, 1, std::numeric_limits<std::int64_t>::max());
  const std::int64_t at = normalize_axis("split", dim, x.dim());
  for (const std::int64_t size : sizes) {
    if (size >= 0) continue;
    throw Error(ErrorKind::invalid_argument, fmt::format("[split] size {} is negative", size));
  }
  const std::int64_t whole =
      std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}, add_extents);
  if (whole != extent(x, at)) {
    throw Error(
        ErrorKind::shape_mismatch,
        fmt::format("[split] sizes {} do not add up to extent {}", listed(sizes), extent(x, at)));
  }
  if (sizes.empty()) return {};
  // One step of the backward pass, which joins the gradients of all parts.
  if (sizes.size() <= kMostOutputs) {
    return kSplit.outputs(sizes.size(), {x, int64s(sizes)}, attributes({{"axis", at}}));
  }
  return split_in_groups(x, sizes, at);
}

std::vector<Tensor> split(const Tensor& x, std::int64_t size, Dim dim) {
  const CalledFunction here;
  require_rank("split", x, 1, std::numeric_limits<std::int64_t>::max());
  require_at_least("split", "size", size, 1);
  const std::int64_t whole = extent(x, normalize_axis("split", dim, x.dim()));
  require_memory_for_parts(x, ceil_div(whole, size));
  Dims sizes;
  for (std::int64_t start = 0; start < whole; start += size) {
    sizes.push_back(std::min(size, whole - start));
  }
  if (sizes.empty()) sizes.push_back(0);
  return split(x, sizes, dim);
}

std::vector<Tensor> chunk(const Tensor& x, Int chunks, Dim dim) {
  const CalledFunction here;
  require_rank("chunk", x, 1, std::numeric_limits<std::int64_t>::max());
  require_at_least("chunk", "chunks", chunks, 1);
  const std::int64_t whole = extent(x, normalize_axis("chunk", dim, x.dim()));
  if (whole == 0) {
    require_memory_for_parts(x, chunks);
    return split(x, Dims::filled(static_cast<std::size_t>(chunks), 0), dim);
  }
  return split(x, ceil_div(whole, std::int64_t{chunks}), dim);
}

std::vector<Tensor> unbind(const Tensor& x, Dim dim) {
  const CalledFunction here;
  require_rank("unbind", x, 1, std::numeric_limits<std::int64_t>::max());
  const std::int64_t at = normalize_axis("unbind", dim, x.dim());
  if (extent(x, at) == 0) return {};
  std::vector<Tensor> parts = split(x, 1, at);
  for (Tensor& part : parts) part = squeeze(part, at);
  return parts;
}

}  // namespace switchyard
