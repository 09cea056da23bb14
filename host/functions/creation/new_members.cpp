// New tensors like another one, as its members.
#include <switchyard/functions/creation.hpp>

#include "error/called_function.hpp"
#include "functions/calls/options_like.hpp"

namespace switchyard {

Tensor Tensor::new_zeros(const Dims& shape, const TensorOptions& options) const {
  const CalledFunction here;
  return zeros(shape, options_like(*this, options));
}
Tensor Tensor::new_ones(const Dims& shape, const TensorOptions& options) const {
  const CalledFunction here;
  return ones(shape, options_like(*this, options));
}
Tensor Tensor::new_full(const Dims& shape, const Tensor& value,
                        const TensorOptions& options) const {
  const CalledFunction here;
  return full(shape, value, options_like(*this, options));
}
Tensor Tensor::new_empty(const Dims& shape, const TensorOptions& options) const {
  const CalledFunction here;
  return empty(shape, options_like(*this, options));
}

Tensor Tensor::new_zeros(const Dims& shape) const { return new_zeros(shape, {}); }
Tensor Tensor::new_ones(const Dims& shape) const { return new_ones(shape, {}); }
Tensor Tensor::new_full(const Dims& shape, const Tensor& value) const {
  return new_full(shape, value, {});
}
Tensor Tensor::new_empty(const Dims& shape) const { return new_empty(shape, {}); }

}  // namespace switchyard
