// Dropout, from the process's stream of random numbers.
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"

namespace switchyard {

namespace {

/// Zeros and 1 / (1 - p) that broadcast to `x`, drawn of `shape`.
Tensor drawn_factors(const Tensor& x, const Dims& shape, double p) {
  // Drawn in float32 whatever the dtype, so that a narrow one drops the same elements.
  // A sign instead of a comparison spares masks, which cost more.
  const Tensor drawn = rand(shape, options_like(x, {.dtype = DType::float32}));
  const Tensor kept = sign(relu(sub(drawn, p)));
  if (x.dtype() == DType::float64) return mul(as_dtype(kept, x.dtype()), 1 / (1 - p));
  return as_dtype(mul(kept, 1 / (1 - p)), x.dtype());
}

/// Draws one number for each position of `shape`, which broadcasts to that of `x`.
Tensor dropped(const Tensor& x, const Dims& shape, double p, bool training) {
  if (!training || p == 0) return x;
  if (p == 1) return mul(x, zeros_like(x.detach()));
  return mul(x, drawn_factors(x, shape, p));
}

/// `x` has `spatial` dimensions after the channels.
Tensor dropped_channels(std::string_view name, const Tensor& x, std::int64_t spatial,
                        std::int64_t least_rank, double p, bool training) {
  require_floating(name, x);
  require_within(name, "p", p, 0, 1);
  require_rank(name, x, least_rank, spatial + 2);
  Dims shape = x.shape();
  for (std::int64_t d = 1; d <= spatial; ++d) shape[-d] = 1;
  return dropped(x, shape, p, training);
}

}  // namespace

Tensor dropout(const Tensor& x, Real p, Flag training) {
  const CalledFunction here;
  require_floating("dropout", x);
  require_within("dropout", "p", p, 0, 1);
  return dropped(x, x.shape(), p, training);
}

Tensor dropout1d(const Tensor& x, Real p, Flag training) {
  const CalledFunction here;
  return dropped_channels("dropout1d", x, 1, 2, p, training);
}
Tensor dropout2d(const Tensor& x, Real p, Flag training) {
  const CalledFunction here;
  return dropped_channels("dropout2d", x, 2, 4, p, training);
}
Tensor dropout3d(const Tensor& x, Real p, Flag training) {
  const CalledFunction here;
  return dropped_channels("dropout3d", x, 3, 4, p, training);
}

}  // namespace switchyard
