// Indices drawn by weights.
#include <fmt/format.h>

#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

template <typename T>
void check_weights(const Tensor& weights, std::int64_t needed) {
  const std::vector<T> values = weights.to_vector<T>();
  const std::int64_t columns = weights.size(-1);
  std::int64_t positive = 0;
  for (std::int64_t i = 0; i < weights.size(); ++i) {
    const T weight = values[static_cast<std::size_t>(i)];
    if (!std::isfinite(weight) || weight < 0) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[multinomial] weight {} is {}; weights are finite and not negative",
                              i, weight));
    }
    positive += weight > 0;
    if ((i + 1) % columns != 0) continue;
    if (positive < needed) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[multinomial] row {} has {} weights above 0, but {} indices are to "
                              "be drawn from it",
                              i / columns, positive, needed));
    }
    positive = 0;
  }
}

}  // namespace

/// An exponential random number over each weight: the smallest comes first with the chance that
/// its weight is of their sum. Here the reciprocals, of which a weight of 0 is never the largest.
Tensor multinomial(const Tensor& weights, Int count, Flag replacement) {
  const CalledFunction here;
  require_floating("multinomial", weights);
  require_rank("multinomial", weights, 1, 2);
  if (count < 1 || weights.size(-1) < 1) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[multinomial] cannot draw {} indices from weights {}", count,
                            describe(weights.shape())));
  }
  const DType wide = promote(weights.dtype(), DType::float32);
  Tensor chances = as_dtype(weights.detach(), wide);
  const std::int64_t needed = replacement ? Int(1) : count;
  wide == DType::float64 ? check_weights<double>(chances, needed)
                         : check_weights<float>(chances, needed);
  chances = div(chances, amax(chances, -1, true));
  if (replacement) {
    Dims shape = chances.shape();
    shape.insert(shape.size() - 1, count);
    chances = expand(unsqueeze(chances, -2), shape);
  }
  // Never 0, for which nothing but a weight of 0 may stand.
  const Tensor uniform = clamp(rand_like(chances), 0x1p-25);
  const Tensor ranks = div(chances, neg(log(uniform)));
  return replacement ? argmax(ranks, -1) : topk(ranks, count).indices;
}

}  // namespace switchyard
