#include "autograd/gradient_form.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "device/open_device.hpp"
#include "tensor/placement.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

/// Devices of two runtimes may have one name.
std::string described_device(const Tensor& gradient, const OpenDevice& wanted) {
  const std::string& name = gradient.impl()->device->name();
  return name == wanted.name() ? name + " of another runtime" : name;
}

}  // namespace

GradientForm::GradientForm(const TensorImpl& tensor)
    : dtype(tensor.dtype),
      shape(tensor.shape),
      device(tensor.device ? tensor.device->shared_from_this() : nullptr) {}

Tensor fitting_gradient(const Tensor& gradient, const GradientForm& form, std::string_view source,
                        std::string_view what) {
  const bool is_shaped = gradient.shape() == form.shape;
  if (!is_shaped || gradient.dtype() != form.dtype) {
    throw Error(is_shaped ? ErrorKind::invalid_argument : ErrorKind::shape_mismatch,
                fmt::format("[{}] the gradient of {} is {}; it must be {}", source, what,
                            describe(gradient.dtype(), gradient.shape()),
                            describe(form.dtype, form.shape)));
  }
  const OpenDevice* const device = gradient.impl()->device;
  if (!form.device || device == form.device.get()) return gradient;
  if (!device) {
    CopyCount count;
    return Tensor(copy_to(*form.device, TensorRef(gradient.impl()), count).get());
  }
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("[{}] the gradient of {} lies on {}, but must on {}; move it with to()", source,
                  what, described_device(gradient, *form.device), form.device->name()));
}

}  // namespace switchyard
