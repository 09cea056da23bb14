// Dropout, from the process's stream of random numbers.
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"

namespace switchyard {

Tensor dropout(const Tensor& x, Real p, bool training) {
  const CalledFunction here;
  require_floating("dropout", x);
  require_within("dropout", "p", p, 0, 1);
  if (!training || p == 0) return x;
  if (p == 1) return mul(x, zeros_like(x.detach()));
  // Drawn in float32 whatever the dtype, so that a narrow one drops the same elements.
  // A sign instead of a comparison spares masks, which cost more.
  const Tensor drawn = rand_like(x.detach(), {.dtype = DType::float32});
  const Tensor kept = sign(relu(sub(drawn, double{p})));
  if (x.dtype() == DType::float64) return mul(x, mul(as_dtype(kept, x.dtype()), 1 / (1 - p)));
  return mul(x, as_dtype(mul(kept, 1 / (1 - p)), x.dtype()));
}

}  // namespace switchyard
