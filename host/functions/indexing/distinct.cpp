// Elements and slices that differ from each other.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "ops/row.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kUniqueOf("Unique");

/// Slices of dimension `dim`, one after another, or all elements, in rank 2.
struct Slices {
  Slices(const Tensor& given, std::optional<std::int64_t> along, std::string_view function)
      : x(!along || given.dim() == 0 ? reshape(given, {-1}) : given),
        dim(along ? normalize_axis(function, *along, given.dim()) : 0),
        is_flat(!along) {}

  std::int64_t count() const { return x.size(dim); }
  Tensor rows() const {
    const Tensor moved = movedim(x.detach(), dim, 0);
    const std::int64_t size = count() == 0 ? 0 : x.size() / count();
    return reshape(moved, {count(), size});
  }

  Tensor x;
  std::int64_t dim;
  bool is_flat;
};

/// Of each slice, whether none is before it or that one differs.
Tensor run_starts(const Slices& slices) {
  const std::int64_t count = slices.count();
  const Tensor first =
      slices.x.new_full({std::min<std::int64_t>(count, 1)}, true, {.dtype = DType::bool_});
  if (count < 2) return first;
  const Tensor rows = slices.rows();
  const Mask differs = ne(narrow(rows, 0, 1, count - 1), narrow(rows, 0, 0, count - 1));
  return cat({first, any(differs, {1})});
}

}  // namespace

UniqueElements unique(const Tensor& x, const UniqueOptions& options) {
  const CalledFunction here;
  const Slices slices(x, options.dim, "unique");
  const bool bools = x.dtype() == DType::bool_;  // the op orders numbers
  Attributes given = attributes({{"sorted", std::int64_t{options.sorted}}});
  if (!slices.is_flat) {
    given = attributes({{"axis", slices.dim}, {"sorted", std::int64_t{options.sorted}}});
  }
  const Tensor numbers = bools ? as_dtype(slices.x, DType::uint8) : slices.x;
  const std::vector<Tensor> found = kUniqueOf.outputs(4, {numbers}, given);
  UniqueElements result{bools ? as_dtype(found[0], DType::bool_) : found[0], {}, {}};
  if (options.return_inverse) {
    result.inverse = slices.is_flat ? reshape(found[2], x.shape()) : found[2];
  }
  if (options.return_counts) result.counts = found[3];
  return result;
}

UniqueElements unique_consecutive(const Tensor& x, const UniqueConsecutiveOptions& options) {
  const CalledFunction here;
  const Slices slices(x, options.dim, "unique_consecutive");
  const Tensor starts = run_starts(slices);
  const Tensor positions = reshape(nonzero(starts), {-1});
  UniqueElements result{index_select(slices.x, slices.dim, positions), {}, {}};
  if (options.return_inverse) {
    const Tensor run = sub(cumsum(starts, 0), 1);
    result.inverse = slices.is_flat ? reshape(run, x.shape()) : run;
  }
  if (options.return_counts) {
    const Tensor end = positions.new_full({1}, slices.count());
    result.counts = diff(positions, 1, 0, {}, end);
  }
  return result;
}

}  // namespace switchyard
