#include "cli/values/host_values.hpp"

#include <switchyard/error.hpp>

#include "cli/process/interruptible_work.hpp"
#include "tensor/placement.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard::cli {

Literal to_literal(const Tensor& tensor) {
  CopyCount count;
  return read_to_host(TensorRef(&impl_of(tensor)), count);
}

Tensor to_tensor(Literal literal) { return Tensor(make_host_tensor(std::move(literal)).get()); }

void bring_to_host(const std::vector<NamedValue>& outputs) {
  for (const NamedValue& output : outputs) {
    if (output.tensor.defined()) to_literal(output.tensor);
    for (const Tensor& item : output.sequence) to_literal(item);
  }
  if (user_cancellation().is_cancelled()) throw Error(ErrorKind::cancelled, "interrupted");
}

}  // namespace switchyard::cli
