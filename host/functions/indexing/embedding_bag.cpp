// Rows of a table, reduced to one row a bag.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "tensor/host_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

[[noreturn]] void refuse_bags(const std::string& why) {
  throw Error(ErrorKind::invalid_argument, "[embedding_bag] " + why);
}

/// Where each bag of `count` indices begins, and where the last one ends.
std::vector<std::int64_t> bounds_of_bags(const Tensor& offsets, bool include_last,
                                         std::int64_t count) {
  require_rank("embedding_bag", offsets, 1, 1);
  if (offsets.dtype() != DType::int64 && offsets.dtype() != DType::int32) {
    refuse_bags(fmt::format("offsets must be int64 or int32, got {}", name_of(offsets.dtype())));
  }
  std::vector<std::int64_t> bounds = offsets.to(DType::int64).to_vector<std::int64_t>();
  if (!include_last) bounds.push_back(count);
  if (bounds.empty()) refuse_bags("offsets must hold where the last bag ends");
  const bool is_all = bounds[0] == 0 && bounds.back() <= count;
  if (is_all && std::is_sorted(bounds.begin(), bounds.end())) return bounds;
  refuse_bags(fmt::format("offsets {} must begin with 0, not fall and stay within {} indices",
                          listed(Dims(std::span<const std::int64_t>(bounds))), count));
}

/// Indices of bags as a table: [B, longest], and whether there is one at each place.
struct TableOfBags {
  Tensor indices, weights;
  Tensor is_there;  // none where all are
};

TableOfBags table_of_bags(const Tensor& indices, const Tensor& weights,
                          const std::vector<std::int64_t>& bounds) {
  const std::size_t bags = bounds.size() - 1;
  std::int64_t longest = 0;
  for (std::size_t b = 0; b < bags; ++b) longest = std::max(longest, bounds[b + 1] - bounds[b]);
  std::vector<std::int64_t> places;
  std::vector<std::uint8_t> is_there;
  const Dims shape{bags, longest};
  require_memory(indices, DType::int64, shape);
  for (std::size_t b = 0; b < bags; ++b) {
    for (std::int64_t i = 0; i < longest; ++i) {
      const bool is_inside = bounds[b] + i < bounds[b + 1];
      places.push_back(is_inside ? bounds[b] + i : 0);
      is_there.push_back(is_inside ? 1 : 0);
    }
  }
  const TensorOptions beside{.device = options_like(indices).device};
  const Tensor at = place(host_tensor({places.size()}, places), beside);
  const auto gathered = [&](const Tensor& x) {
    return x.defined() ? reshape(index_select(x, 0, at), shape) : x;
  };
  const std::span<const std::uint8_t> inside = is_there;
  return {gathered(indices), gathered(weights),
          place(host_tensor_from_bytes(DType::bool_, std::as_bytes(inside), shape), beside)};
}

void check_bags(const Tensor& indices, const Tensor& weight, const Tensor& offsets,
                const Tensor& per_sample_weights, EmbeddingBagMode mode) {
  require_floating("embedding_bag", weight);
  require_rank("embedding_bag", weight, 2, 2);
  require_rank("embedding_bag", indices, 1, 2);
  if (indices.dim() == 1 && !offsets.defined()) {
    refuse_bags("indices of rank 1 need offsets, which say where bags begin");
  }
  if (indices.dim() == 2 && offsets.defined()) {
    refuse_bags("offsets are for indices of rank 1: the rows of a matrix are bags themselves");
  }
  if (!per_sample_weights.defined()) return;
  if (mode != EmbeddingBagMode::sum) {
    refuse_bags("per_sample_weights are for EmbeddingBagMode::sum alone");
  }
  if (per_sample_weights.shape() != indices.shape()) {
    refuse_bags(fmt::format("per_sample_weights {} must have the shape of the indices {}",
                            describe(per_sample_weights.shape()), describe(indices.shape())));
  }
}

/// Of rows [B, L, size], those that are there.
Tensor reduced_bags(const Tensor& rows, const Tensor& is_there, EmbeddingBagMode mode) {
  const std::int64_t longest = rows.size(1);
  if (longest == 0) return rows.new_full({rows.size(0), rows.size(2)}, 0);
  if (!is_there.defined()) {
    if (mode == EmbeddingBagMode::max) return max(rows, 1).values;
    return mode == EmbeddingBagMode::sum ? sum(rows, {1}) : mean(rows, {1});
  }
  const Tensor column = unsqueeze(is_there, -1);
  const Tensor count = sum(column.to(rows.dtype()), {1});
  if (mode == EmbeddingBagMode::max) {
    const double least = -std::numeric_limits<double>::infinity();
    return where(eq(count, 0), 0, max(where(column, rows, least), 1).values);
  }
  const Tensor total = sum(where(column, rows, 0), {1});
  return mode == EmbeddingBagMode::sum ? total : div(total, maximum(count, 1));
}

}  // namespace

Tensor embedding_bag(const Tensor& indices, const Tensor& weight, const Tensor& offsets,
                     const Tensor& per_sample_weights, const EmbeddingBagOptions& options) {
  const CalledFunction here;
  check_bags(indices, weight, offsets, per_sample_weights, options.mode);
  TableOfBags bags{indices, per_sample_weights, {}};
  if (indices.dim() == 1) {
    bags = table_of_bags(indices, per_sample_weights,
                         bounds_of_bags(offsets, options.include_last_offset, indices.size()));
  }
  Tensor rows, is_there = bags.is_there;
  if (bags.indices.size() == 0) {
    rows = narrow(weight, 0, 0, 0);
    rows = reshape(rows, {bags.indices.size(0), bags.indices.size(1), weight.size(1)});
  } else {
    rows = embedding(bags.indices, weight, options.padding_idx);
  }
  if (options.padding_idx) {
    const std::int64_t row =
        *options.padding_idx < 0 ? *options.padding_idx + weight.size(0) : *options.padding_idx;
    const Tensor is_row = ne(bags.indices, row);
    is_there = is_there.defined() ? Tensor(logical_and(is_there, is_row)) : is_row;
  }
  if (bags.weights.defined()) rows = mul(rows, unsqueeze(bags.weights, -1));
  return reduced_bags(rows, is_there, options.mode);
}

}  // namespace switchyard
