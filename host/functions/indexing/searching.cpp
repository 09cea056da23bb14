// Where values would stand in a sequence that is in order, and which of them are there.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/indexing/index_tensor.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

void require_rows(std::string_view function, const Tensor& sequence, const Tensor& values) {
  require_rank(function, sequence, 1, std::numeric_limits<std::int64_t>::max());
  if (!values.defined())
    throw Error(ErrorKind::invalid_argument, fmt::format("[{}] needs values", function));
  if (sequence.dim() == 1) return;
  Dims of_sequence = sequence.shape(), of_values = values.shape();
  if (!of_values.empty()) of_values[of_values.size() - 1] = of_sequence.back();
  if (of_sequence == of_values) return;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] sequences {} need values of the same shape but for the last "
                          "dimension, got {}",
                          function, describe(sequence.shape()), describe(values.shape())));
}

/// Elements of the sequence at positions for each value.
Tensor elements_of(const Tensor& sequence, const Tensor& positions) {
  const std::int64_t last = sequence.dim() - 1;
  return last == 0 ? select_slices(sequence, 0, positions)
                   : gather_elements(sequence, last, positions);
}

/// Steps of halves: `found` elements are known to come before the value.
Tensor insertion_points(const Tensor& sequence, const Tensor& values, bool right) {
  const std::int64_t extent = sequence.size(-1);
  Tensor found = sequence.new_full(values.shape(), 0, {.dtype = DType::int64});
  const Mask is_nan = isnan(values);
  for (std::uint64_t step = std::bit_floor(static_cast<std::uint64_t>(extent)); step > 0;
       step /= 2) {
    const Tensor reached = add(found, static_cast<std::int64_t>(step));
    const Tensor last = elements_of(sequence, sub(clamp(reached, {}, extent), 1));
    const Mask before = logical_or(right ? le(last, values) : lt(last, values), is_nan);
    found = where(logical_and(before, le(reached, extent)), reached, found);
  }
  return found;
}

Tensor searched(std::string_view function, const Tensor& sequence, const Tensor& values, bool right,
                bool out_int32) {
  require_rows(function, sequence, values);
  const DType dtype = is_number(values) ? result_type(sequence, values) : values.dtype();
  const Tensor sought = beside(sequence, values, dtype).detach();
  const Tensor found = insertion_points(sequence.detach(), sought, right);
  return out_int32 ? as_dtype(found, DType::int32) : found;
}

}  // namespace

Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& values,
                    const SearchSortedOptions& options) {
  const CalledFunction here;
  Tensor sequence = sorted_sequence;
  if (options.sorter.defined()) {
    require_rank("searchsorted", sequence, 1, std::numeric_limits<std::int64_t>::max());
    if (options.sorter.shape() != sequence.shape()) {
      throw Error(ErrorKind::shape_mismatch,
                  fmt::format("[searchsorted] the sorter {} has not the shape of the sequence {}",
                              describe(options.sorter.shape()), describe(sequence.shape())));
    }
    sequence = gather(sequence, -1, options.sorter);
  }
  return searched("searchsorted", sequence, values, options.right, options.out_int32);
}

Tensor bucketize(const Tensor& x, const Tensor& boundaries, const BucketizeOptions& options) {
  const CalledFunction here;
  require_rank("bucketize", boundaries, 1, 1);
  return searched("bucketize", boundaries, x, options.right, options.out_int32);
}

Mask isin(const Tensor& elements, const Tensor& test_elements, Flag invert) {
  const CalledFunction here;
  const DType dtype = result_type(elements, test_elements);
  const Tensor sought = beside(test_elements, elements, dtype).detach();
  const Tensor among = reshape(beside(sought, test_elements, dtype).detach(), {-1});
  if (among.size() == 0) return Mask(full_like(sought, bool{invert}, {.dtype = DType::bool_}));
  const Tensor sequence = sort(among).values;
  const Tensor positions = insertion_points(sequence, sought, false);
  const Tensor nearest = elements_of(sequence, clamp(positions, {}, among.size() - 1));
  return invert ? ne(nearest, sought) : eq(nearest, sought);
}

}  // namespace switchyard
