#include "functions/options_like.hpp"

#include "device/open_device.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

TensorOptions options_like(const Tensor& like) {
  TensorOptions options{.dtype = like.dtype()};
  if (like.impl()->device) options.device = Device(like.impl()->device->shared_from_this());
  return options;
}

}  // namespace switchyard
