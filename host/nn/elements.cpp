#include "nn/elements.hpp"

#include <switchyard/autograd.hpp>

#include "tensor/tensor_impl.hpp"

namespace switchyard::nn {
namespace {

/// What was saved for a backward pass before must not pass for what is there now.
void outdo_version(const TensorImpl& target, TensorImpl& source) {
  if (!target.storage || !source.storage) return;
  while (source.storage->version() <= target.storage->version()) source.storage->count_write();
}

template <typename Change>
void change(const Tensor& target, const Change& changed) {
  const NoGrad no_grad;
  take_elements(target, changed(target));
  const Tensor gradient = target.grad();
  if (gradient.defined()) take_elements(gradient, changed(gradient));
}

}  // namespace

void take_elements(const Tensor& target, const Tensor& source) {
  TensorImpl& to = impl_of(target);
  TensorImpl& from = impl_of(source);
  if (&to == &from) return;
  outdo_version(to, from);
  to.dtype = from.dtype;
  to.contiguous = from.contiguous;
  to.shape = from.shape;
  to.strides = from.strides;
  to.offset_bytes = from.offset_bytes;
  to.device = from.device;
  to.storage = from.storage;
  to.host = from.host;
  to.layout = from.layout;
  to.constant_id = from.constant_id;
  to.is_number = from.is_number;
}

void clone_elements(const Tensor& target, const Tensor& source) {
  const NoGrad no_grad;
  take_elements(target, source.clone());
}

void bring_to(const Tensor& target, const Device& device) {
  change(target, [&](const Tensor& tensor) { return tensor.to(device); });
}

void convert(const Tensor& target, DType dtype) {
  change(target, [&](const Tensor& tensor) { return tensor.to(dtype); });
}

}  // namespace switchyard::nn
