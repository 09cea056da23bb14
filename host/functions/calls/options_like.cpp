#include "functions/calls/options_like.hpp"

#include "device/open_device.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

TensorOptions options_like(const Tensor& like, TensorOptions options) {
  const DType dtype = like.dtype();  // throws for no tensor
  if (!options.dtype) options.dtype = dtype;
  if (!options.device && like.impl()->device) {
    options.device = Device(like.impl()->device->shared_from_this());
  }
  return options;
}

}  // namespace switchyard
