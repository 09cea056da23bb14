// Writing at positions where what is written is joined with what is there.
#include <limits>
#include <string_view>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/indexing/scattered.hpp"

namespace switchyard {
namespace {

/// The reduction of ScatterElements.
std::string_view word_of(ScatterReduction reduction) {
  switch (reduction) {
    case ScatterReduction::prod: return "mul";
    case ScatterReduction::amax: return "max";
    case ScatterReduction::amin: return "min";
    default: return "add";
  }
}

/// The largest or the smallest number of a type.
Tensor last_number(DType dtype, bool largest) {
  if (is_floating(dtype)) {
    constexpr double most = std::numeric_limits<double>::infinity();
    return number(largest ? most : -most, dtype);
  }
  const int bits = bit_width(dtype);
  const std::int64_t all_ones = bits == 64 ? -1 : (std::int64_t{1} << bits) - 1;
  if (is_unsigned(dtype)) return number(largest ? all_ones : std::int64_t{0}, dtype);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  return number(largest ? most : -most - 1, dtype);
}

/// What a reduction leaves as it is.
Tensor neutral(ScatterReduction reduction, DType dtype) {
  switch (reduction) {
    case ScatterReduction::prod: return number(std::int64_t{1}, dtype);
    case ScatterReduction::amax: return last_number(dtype, false);
    case ScatterReduction::amin: return last_number(dtype, true);
    default: return number(std::int64_t{0}, dtype);
  }
}

/// How many numbers each mean is of; 1 where there are none, which stay as they are.
Tensor mean_counts(const Tensor& x, std::int64_t dim, const Tensor& index, bool include_self) {
  const Tensor self = x.detach().new_full(x.shape(), include_self ? 1 : 0);
  const Tensor one = x.detach().new_full(index.shape(), 1);
  return clamp(scatter_add(self, dim, index, one), 1);
}

/// Sums and counts of these would wrap round: 256 of uint8.
bool is_narrow_integer(DType dtype) { return is_integer(dtype) && bit_width(dtype) < 64; }

/// The mean of integers that are narrower, by way of int64.
Tensor wide_mean(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source,
                 bool include_self) {
  const Tensor given =
      is_number(source) && index.defined()
          ? expand(beside(x, as_element("scatter_reduce", source, x.dtype()), x.dtype()),
                   index.shape())
          : source;
  const Tensor mean =
      scatter_reduce(as_dtype(x, DType::int64), dim, index, as_dtype(given, DType::int64),
                     ScatterReduction::mean, include_self);
  return as_dtype(mean, x.dtype());
}

}  // namespace

Tensor scatter_reduce(const Tensor& x, Dim dim, const Tensor& index, const Tensor& source,
                      ScatterReduction reduction, Flag include_self) {
  const CalledFunction here;
  if (x.dtype() == DType::bool_) {
    throw Error(ErrorKind::invalid_argument,
                "[scatter_reduce] joins numbers, not bools; convert them with to()");
  }
  const bool fits = is_number(source) || source.dtype() == x.dtype();
  if (reduction == ScatterReduction::mean && is_narrow_integer(x.dtype()) && fits) {
    return wide_mean(x, dim, index, source, include_self);
  }
  const Tensor self = include_self ? x
                                   : scattered("scatter_reduce", x, dim, index,
                                               neutral(reduction, x.dtype()), "none");
  const Tensor joined = scattered("scatter_reduce", self, dim, index, source, word_of(reduction));
  if (reduction != ScatterReduction::mean) return joined;
  const Tensor counts = mean_counts(x, dim, index, include_self);
  return is_floating(x.dtype()) ? div(joined, counts) : floor_divide(joined, counts);
}

}  // namespace switchyard
