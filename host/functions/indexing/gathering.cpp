// Reading elements at positions that tensors name.
#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "functions/indexing/index_tensor.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kGather("Gather"), kGatherElements("GatherElements"), kCompress("Compress"),
    kNonZero("NonZero"), kOneHot("OneHot");

constexpr std::int64_t kMostClasses = std::int64_t{1} << 40;  // more than any memory holds

/// Whole slices of `dim`, which the dimensions of the indices take the place of.
Tensor gather_slices(std::string_view function, const Tensor& x, std::int64_t dim,
                     const Tensor& index) {
  require_indices(function, index);
  return call_or_explain(
      [&] { return select_slices(x, dim, counted_from_front(index)); },
      [&] { require_inside(function, index, dim, extent(x, dim), CountsFrom::front); });
}

/// The part of `x` that an index of that shape reaches: but for `dim` its extents may be less.
Tensor reached(const Tensor& x, std::int64_t dim, const Tensor& index) {
  bool fits = index.dim() == x.dim();
  for (std::int64_t d = 0; fits && d < x.dim(); ++d) {
    fits = d == dim || extent(index, d) <= extent(x, d);
  }
  if (!fits) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[gather] the index has shape {}, the tensor {}: ranks must be equal, "
                            "and no extent but that of dimension {} may be larger",
                            describe(index.shape()), describe(x.shape()), dim));
  }
  Tensor part = x;
  for (std::int64_t d = 0; d < x.dim(); ++d) {
    if (d != dim && extent(index, d) < extent(x, d)) part = narrow(part, d, 0, extent(index, d));
  }
  return part;
}

}  // namespace

Tensor index_select(const Tensor& x, Dim dim, const Tensor& index) {
  const CalledFunction here;
  require_rank("index_select", index, 0, 1);
  const std::int64_t at = normalize_axis("index_select", dim, x.dim());
  if (x.dim() == 0) {
    if (index.size() != 1) {
      throw Error(ErrorKind::shape_mismatch,
                  fmt::format("[index_select] {} indices into a tensor of rank 0, which has one "
                              "element; give it one, or the tensor a dimension",
                              index.size()));
    }
    return reshape(index_select(reshape(x, {1}), 0, index), {});
  }
  return gather_slices("index_select", x, at, index.dim() == 0 ? reshape(index, {1}) : index);
}

Tensor gather(const Tensor& x, Dim dim, const Tensor& index) {
  const CalledFunction here;
  require_indices("gather", index);
  const std::int64_t at = normalize_axis("gather", dim, x.dim());
  if (x.dim() == 0 || index.dim() == 0) {
    const Tensor line = x.dim() == 0 ? reshape(x, {1}) : x;
    const Tensor positions = index.dim() == 0 ? reshape(index, {1}) : index;
    return reshape(gather(line, at, positions), index.shape());
  }
  return call_or_explain(
      [&] { return gather_elements(x, at, counted_from_front(index)); },
      [&] { require_inside("gather", index, at, extent(x, at), CountsFrom::front); });
}

Tensor take_along_dim(const Tensor& x, const Tensor& index, std::optional<Dim> dim) {
  const CalledFunction here;
  require_indices("take_along_dim", index);
  if (!dim) return gather(reshape(x, {-1}), 0, reshape(index, {-1}));
  const std::int64_t at = normalize_axis("take_along_dim", *dim, x.dim());
  require_rank("take_along_dim", index, x.dim(), x.dim());
  if (x.dim() == 0) return gather(x, 0, index);
  Dims of_x = x.shape(), of_index = index.shape();
  of_x[static_cast<std::size_t>(at)] = of_index[static_cast<std::size_t>(at)] = 1;
  Dims shape = broadcast_shapes("take_along_dim", of_x, of_index);
  shape[static_cast<std::size_t>(at)] = x.size(at);
  const Tensor from = expand(x, shape);
  shape[static_cast<std::size_t>(at)] = index.size(at);
  return gather(from, at, expand(index, shape));
}

Tensor select_slices(const Tensor& x, std::int64_t dim, const Tensor& index) {
  return kGather({x, index}, attributes({{"axis", dim}}));
}

Tensor gather_elements(const Tensor& x, std::int64_t dim, const Tensor& index) {
  return kGatherElements({reached(x, dim, index), index}, attributes({{"axis", dim}}));
}

Tensor masked_select(const Tensor& x, const Tensor& mask) {
  const CalledFunction here;
  if (!mask.defined() || mask.dtype() != DType::bool_) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[masked_select] needs a mask of bools, got {}",
                            mask.defined() ? name_of(mask.dtype()) : "none"));
  }
  const Dims shape = broadcast_shapes("masked_select", x.shape(), mask.shape());
  return kCompress({reshape(expand(x, shape), {-1}), reshape(expand(mask, shape), {-1})},
                   attributes({{"axis", std::int64_t{0}}}));
}

Tensor nonzero(const Tensor& x) {
  const CalledFunction here;
  return transpose(kNonZero({x}), 0, 1);
}

Tensor embedding(const Tensor& indices, const Tensor& weight, std::optional<Int> padding_idx) {
  const CalledFunction here;
  require_rank("embedding", weight, 2, 2);
  const std::int64_t count = extent(weight, 0);
  if (padding_idx && (*padding_idx < -count || *padding_idx >= count)) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("[embedding] padding_idx {} lies outside the {} rows", *padding_idx, count));
  }
  const Tensor rows = gather_slices("embedding", weight, 0, indices);
  if (!padding_idx || !rows.requires_grad()) return rows;
  const std::int64_t row = *padding_idx + (*padding_idx < 0 ? count : 0);
  return where(unsqueeze(eq(indices, row), -1), rows.detach(), rows);
}

Tensor one_hot(const Tensor& indices, Int classes) {
  const CalledFunction here;
  require_indices("one_hot", indices);
  std::int64_t count = classes;
  if (indices.size() > 0) {
    const std::int64_t least = integer_value(amin(indices));
    const std::int64_t most = integer_value(amax(indices));
    if (classes == -1) count = std::min(most, kMostClasses) + 1;
    if (least < 0 || most >= count) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[one_hot] index {} lies outside the {} classes",
                              least < 0 ? least : most, count));
    }
  }
  require_at_least("one_hot", "classes", count, 1);
  return kOneHot({indices, int64_scalar(count), int64s(Dims{0, 1})});
}

}  // namespace switchyard
