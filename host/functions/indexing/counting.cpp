// How often elements come.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

void require_countable(const Tensor& x, const Tensor& weights, std::int64_t minlength) {
  require_rank("bincount", x, 1, 1);
  if (!is_integer(x.dtype())) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[bincount] counts integers, got {}", name_of(x.dtype())));
  }
  if (weights.defined() && weights.shape() != x.shape()) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[bincount] weights {} for elements {}: give one for each",
                            describe(weights.shape()), describe(x.shape())));
  }
  require_at_least("bincount", "minlength", minlength, 0);
}

/// One more than the largest element. Waits for them.
std::int64_t count_up_to(const Tensor& x) {
  if (x.size() == 0) return 0;
  const std::int64_t least = integer_value(amin(x)), most = integer_value(amax(x));
  if (least < 0 || most == INT64_MAX) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[bincount] cannot count {}: it is negative or too "
                            "large",
                            least < 0 ? least : most));
  }
  return most + 1;
}

/// The bounds between which histc() counts.
struct Range {
  double low, high;
};
Range range_of(const Tensor& x, double low, double high) {
  const double widest = x.dtype() == DType::float64 ? std::numeric_limits<double>::max()
                                                    : double{std::numeric_limits<float>::max()};
  if (low == high && x.size() > 0) {
    low = amin(x).item();
    high = amax(x).item();
  }
  if (low == high) {
    low -= 1;
    high += 1;
  }
  if (low < high && high - low <= widest) return {low, high};
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[histc] no range of finite width goes from {} to {}; give the bounds in "
                          "their order, and where elements are not finite, too",
                          low, high));
}

}  // namespace

Tensor bincount(const Tensor& x, const Tensor& weights, Int minlength) {
  const CalledFunction here;
  require_countable(x, weights, minlength);
  const std::int64_t count = std::max<std::int64_t>(count_up_to(x), minlength);
  const DType dtype = !weights.defined()                  ? DType::int64
                      : weights.dtype() == DType::float32 ? DType::float32
                                                          : DType::float64;
  require_memory(x, dtype, {count});
  const Tensor added =
      weights.defined() ? as_dtype(weights, dtype) : x.new_full(x.shape(), 1, {.dtype = dtype});
  return scatter_add(x.new_full({count}, 0, {.dtype = dtype}), 0, as_dtype(x, DType::int64), added);
}

Tensor histc(const Tensor& x, Int bins, Real min, Real max) {
  const CalledFunction here;
  require_floating("histc", x);
  require_at_least("histc", "bins", bins, 1);
  require_memory(x, x.dtype(), {bins});
  const Tensor line = reshape(x.detach(), {-1});
  const Range range = range_of(line, min, max);
  const Tensor wide = as_dtype(line, wide_type(x.dtype()));
  const Mask inside = logical_and(ge(wide, range.low), le(wide, range.high));
  const Tensor shares = div(sub(where(inside, wide, range.low), range.low), range.high - range.low);
  const Tensor bin = as_dtype(mul(shares, static_cast<double>(bins)), DType::int64);
  const Tensor counts = scatter_add(x.new_full({bins}, 0, {.dtype = DType::int64}), 0,
                                    clamp(bin, 0, bins - 1), as_dtype(inside, DType::int64));
  return as_dtype(counts, x.dtype());
}

}  // namespace switchyard
