#include "autograd/saved.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "autograd/variable.hpp"

namespace switchyard {

SavedTensor::SavedTensor(const TensorRef& tensor)
    : tensor_(tensor), version_(version_of(*tensor)) {}

SavedTensor SavedTensor::of_output(const TensorRef& tensor) {
  return SavedTensor(alias_of(tensor));
}

void SavedTensor::check(std::string_view op) const {
  const std::uint32_t now = version_of(*tensor_);
  if (now == version_) return;
  Error error(ErrorKind::invalid_argument,
              fmt::format("[backward] the gradient of {} needs a tensor that was written to in "
                          "place since (it is at version {}, was at {}); write to a clone() of it "
                          "instead",
                          op, now, version_));
  throw error.set_op(op);
}

TensorRef alias_of(const TensorRef& tensor) {
  return make_view(tensor, tensor->shape, tensor->strides, 0);
}

}  // namespace switchyard
