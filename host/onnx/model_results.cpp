#include "onnx/model_results.hpp"

#include <cstring>
#include <utility>

#include "tensor/placement.hpp"

namespace switchyard {
namespace {

/// The bytes of a host value may be those of an array that its owner goes on to change.
TensorRef own_host_value(const TensorRef& tensor) {
  if (tensor->dtype == DType::string) return tensor;
  CopyCount count;
  const Literal shared = read_to_host(tensor, count);
  Literal own(shared.dtype(), shared.shape());
  if (shared.size_bytes() > 0) {
    std::memcpy(own.mutable_bytes(), shared.bytes(), shared.size_bytes());
  }
  return make_host_tensor(std::move(own));
}

void own_result(TensorRef& tensor) {
  if (!tensor) return;
  CopyCount count;
  if (tensor->device) {
    if (!tensor.is_sole_owner()) tensor = copy_to(*tensor->device, tensor, count);
  } else if (tensor->host.use_count() > 1 ||
             tensor->references.load(std::memory_order_acquire) > 1) {
    tensor = own_host_value(tensor);
  }
}

}  // namespace

void own_results(Cell& output) {
  if (!output.list) return own_result(output.tensor);
  TensorList own = *output.list;
  output.list.reset();  // so that an element which only the list held is held here alone
  for (TensorRef& tensor : own) own_result(tensor);
  output.list = std::make_shared<TensorList>(std::move(own));
}

}  // namespace switchyard
