#include <switchyard/autograd.hpp>

#include "autograd/mode.hpp"
#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/objects.hpp"

using switchyard::Tensor;
using namespace switchyard::c_api;

int swy_grad_mode_get() { return switchyard::is_grad_enabled() ? 1 : 0; }

// A scope such as GradMode has no place in C: what a thread sets holds until it sets it again.
void swy_grad_mode_set(int enabled) { switchyard::thread_context.grad_mode = enabled != 0; }

swy_status* swy_tensor_set_requires_grad(swy_tensor* tensor, int requires_grad) {
  return guarded([&] { required(tensor, "tensor").value.requires_grad_(requires_grad != 0); });
}

swy_status* swy_tensor_requires_grad(swy_tensor* tensor, int* out_requires_grad) {
  return guarded([&] {
    const Tensor& asked = required(tensor, "tensor").value;
    required(out_requires_grad, "out_requires_grad") = asked.requires_grad() ? 1 : 0;
  });
}

swy_status* swy_tensor_retain_grad(swy_tensor* tensor) {
  return guarded([&] { required(tensor, "tensor").value.retain_grad(); });
}

swy_status* swy_tensor_detach(swy_tensor* tensor, swy_tensor** out_tensor) {
  return guarded([&] {
    const Tensor& source = required(tensor, "tensor").value;
    swy_tensor*& out = required(out_tensor, "out_tensor");
    out = new swy_tensor(source.detach());
  });
}

swy_status* swy_tensor_backward(swy_tensor* tensor, swy_tensor* gradient, uint32_t flags) {
  return guarded([&] {
    const Tensor& output = required(tensor, "tensor").value;
    check_flags(flags, SWY_BACKWARD_RETAIN_GRAPH | SWY_BACKWARD_CREATE_GRAPH);
    output.backward(gradient ? gradient->value : Tensor(), (flags & SWY_BACKWARD_RETAIN_GRAPH) != 0,
                    (flags & SWY_BACKWARD_CREATE_GRAPH) != 0);
  });
}

swy_status* swy_tensor_grad(swy_tensor* tensor, swy_tensor** out_gradient) {
  return guarded([&] {
    const Tensor& asked = required(tensor, "tensor").value;
    swy_tensor*& out = required(out_gradient, "out_gradient");
    const Tensor gradient = asked.grad();
    out = gradient.defined() ? new swy_tensor(gradient) : nullptr;
  });
}

swy_status* swy_tensor_set_grad(swy_tensor* tensor, swy_tensor* gradient) {
  return guarded(
      [&] { required(tensor, "tensor").value.set_grad(gradient ? gradient->value : Tensor()); });
}
