#include "io/host_value.hpp"

#include <utility>

#include "tensor/tensor_impl.hpp"

namespace switchyard {

Tensor host_value(Literal literal) { return Tensor(make_host_tensor(std::move(literal)).get()); }

Literal literal_of(const Tensor& tensor) {
  if (tensor.dtype() == DType::string) return Literal(tensor.shape(), tensor.to_texts());
  Literal literal(tensor.dtype(), tensor.shape());
  tensor.copy_to(literal.mutable_bytes(), literal.size_bytes());
  return literal;
}

}  // namespace switchyard
