// The same elements elsewhere: other devices, other types, other storages.
#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/mode.hpp"
#include "autograd/record.hpp"
#include "autograd/saved.hpp"
#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/device_of.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/creation/new_tensor.hpp"
#include "ops/op_error.hpp"
#include "tensor/placement.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

/// The backward pass of a copy: the gradient, on the device of the original.
class CopyStep final : public BackwardStep {
 public:
  CopyStep(const TensorImpl& original, Edge edge) : BackwardStep(1) {
    if (original.device) device_.emplace(original.device->shared_from_this());
    edges = {std::move(edge)};
    assign_sequence_number();
  }
  std::string_view name() const override { return "a copy"; }
  Gradients apply(const BackwardFormulas&, Gradients grad_outputs) override {
    if (!device_) return grad_outputs;
    return {grad_outputs[0].to(*device_)};
  }

 private:
  std::optional<Device> device_;
};

Tensor recorded_copy(const Tensor& original, const TensorRef& copy) {
  TensorImpl& impl = impl_of(original);
  if (grad_mode() && impl.history && requires_grad(impl)) {
    set_made_by(*copy, make_step<CopyStep>(impl, edge_of(impl)), 0);
  }
  return Tensor(copy.get());
}

/// The element of `one` in every position: elements that share bytes have no strides.
TensorRef repeated(const Tensor& one, const Dims& shape) {
  CopyCount count;
  const int code = read_to_host(TensorRef(&impl_of(one)), count).packed_bits(0);
  const int each = 0xff / ((1 << bit_width(one.dtype())) - 1);  // a bit for each element of a byte
  Literal all(one.dtype(), shape);
  std::memset(all.mutable_bytes(), code * each, all.size_bytes());
  return make_host_tensor(std::move(all));
}

}  // namespace

Tensor Tensor::to(const Device& device, Flag non_blocking) const try {
  const CalledFunction here;
  OpenDevice* place = device.is_host() ? nullptr : device.open().get();
  if (impl_of(*this).device == place) return *this;
  CopyCount count;
  const TensorRef own(impl_);
  const Tensor copy = recorded_copy(*this, place ? switchyard::copy_to(*place, own, count)
                                                 : make_host_tensor(snapshot(own, count)));
  if (!non_blocking && copy.impl()->storage) copy.impl()->storage->wait_until_idle();
  return copy;
} catch (const Error& error) {
  throw_to_caller(error, "");
}

Tensor Tensor::to(Text device, Flag non_blocking) const {
  const CalledFunction called;
  const OpenDevice* here = impl_of(*this).device;
  if (device == "host") return to(Device::host(), non_blocking);
  if (here == nullptr) return to(Device(device), non_blocking);
  return to(Device(engine_of(*here).device(device)), non_blocking);
}

Tensor Tensor::to(const Device& device, DType dtype, Flag non_blocking) const {
  const CalledFunction here;
  // Converted on a device, and on the side where the elements are smaller.
  const bool narrows = impl_of(*this).device && byte_size(dtype, 8) < byte_size(this->dtype(), 8);
  if (narrows || device.is_host()) return to(dtype).to(device, non_blocking);
  return to(device, non_blocking).to(dtype);
}

Tensor Tensor::to(DType dtype) const {
  const CalledFunction here;
  impl_of(*this);
  return as_dtype(*this, dtype);
}

Tensor Tensor::contiguous() const {
  const CalledFunction here;
  return impl_of(*this).contiguous ? *this : clone();
}

Tensor Tensor::clone() const {
  const CalledFunction here;
  TensorImpl& impl = impl_of(*this);
  // Nothing changes a host value; but a clone may require a gradient of its own.
  if (impl.is_number) return *this;
  if (!impl.device) return recorded_copy(*this, alias_of(TensorRef(impl_)));
  CopyCount count;
  return recorded_copy(*this, switchyard::copy_to(*impl.device, TensorRef(impl_), count));
}

void fill_unrecorded(const TensorRef& target, const Tensor& value) {
  if (target->size_bytes() == 0) return;
  const Tensor as_target =
      as_element("fill", is_number(value) ? value : value.detach(), target->dtype);
  if (as_target.size() != 1) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[fill] needs a value of one element, got shape {}",
                            describe(as_target.shape())));
  }
  CopyCount count;
  if (bit_width(target->dtype) < 8) {
    return copy_over(repeated(as_target, target->shape), target, count);
  }
  // A copy that a number keeps would keep the device and its runtime.
  const TensorRef given(as_target.impl());
  const TensorRef one =
      given->device == target->device ? given : copy_to(*target->device, given, count);
  const Dims zero_strides = Dims::filled(target->shape.size(), 0);
  copy_over(make_view(one, target->shape, zero_strides, 0), target, count);
}

Tensor Tensor::fill_(const Tensor& value) const {
  const CalledFunction here;
  const TensorRef target(&impl_of(*this));
  if (grad_mode() && value.requires_grad()) return copy_(switchyard::reshape(value, {}));
  check_writable("fill_", target);
  fill_unrecorded(target, value);
  if (target->storage) target->storage->count_write();
  clear_history(std::span(this, 1));
  return *this;
}

Tensor Tensor::zero_() const {
  const CalledFunction here;
  return fill_(0);
}

Tensor Tensor::copy_(const Tensor& source) const {
  const CalledFunction here;
  const TensorRef target(&impl_of(*this));
  check_writable("copy_", target);
  // What flows back goes through the conversion and the broadcast.
  Tensor value = as_dtype(source, target->dtype);
  if (value.shape() != target->shape) value = value.expand(target->shape);
  if (target.may_overlap(TensorRef(value.impl()))) value = value.clone();
  CopyCount count;
  copy_over(TensorRef(value.impl()), target, count);
  if (target->storage) target->storage->count_write();
  if (!grad_mode()) return *this;
  TensorImpl& from = impl_of(value);
  Edge edge;
  if (from.history && switchyard::requires_grad(from)) {
    edge = {make_step<CopyStep>(from, edge_of(from)), 0};
  }
  rewrite_history(target, std::move(edge));
  return *this;
}

}  // namespace switchyard
