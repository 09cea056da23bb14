// Tensors of elements that the caller has in memory.
#include <switchyard/functions/creation.hpp>

#include "error/called_function.hpp"
#include "functions/creation/new_tensor.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {

Tensor tensor_from_bytes(DType dtype, std::span<const std::byte> bytes, const Dims& shape,
                         const TensorOptions& options) {
  return detail::tensor_from_bytes(dtype, bytes, shape, options, "tensor_from_bytes");
}

Tensor detail::tensor_from_bytes(DType dtype, std::span<const std::byte> bytes, const Dims& shape,
                                 const TensorOptions& options, const char* function) {
  const CalledFunction here(function);
  return place(host_tensor_from_bytes(dtype, bytes, shape), options);
}

Tensor text_tensor(std::vector<std::string> texts, const Dims& shape) {
  const CalledFunction here;
  return host_texts(shape, std::move(texts));
}

}  // namespace switchyard
