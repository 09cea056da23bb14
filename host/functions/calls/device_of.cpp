#include "functions/calls/device_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <utility>
#include <vector>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"
#include "tensor/overlap.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

[[noreturn]] void refuse_mix(const Op& op, std::span<const TensorRef> inputs) {
  std::string locations, hint;
  for (const TensorRef& input : inputs) {
    if (!input) continue;
    for (const TensorRef& other : inputs) {
      const bool is_namesake = other && other->device && input->device &&
                               other->device != input->device &&
                               other->device->name() == input->device->name();
      if (is_namesake) hint = " of two runtimes";
    }
    locations += fmt::format("{}{} on {}", locations.empty() ? "" : ", ",
                             describe(input->dtype, input->shape),
                             input->device ? input->device->name() : "the host");
  }
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] got tensors on different devices{} ({}); move them to one with "
                          "to()",
                          op.name(), hint, locations));
}

}  // namespace

CallDevice device_of(const Op& op, std::span<const TensorRef> inputs) {
  OpenDevice* device = nullptr;
  for (const TensorRef& input : inputs) {
    if (!input || !input->device || input->device == device) continue;
    if (device) refuse_mix(op, inputs);
    device = input->device;
  }
  return device ? CallDevice(*device) : CallDevice(current_device());
}

Engine& engine_of(const OpenDevice& device) {
  Engine* engine = device.engine();
  if (engine) [[likely]]
    return *engine;
  throw Error(ErrorKind::internal, fmt::format("{} belongs to no runtime", device.name()));
}

void check_writable(std::string_view op, const TensorRef& target) {
  if (!target->device) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] in place: the tensor is a value of the host, which does not "
                            "change; bring it to a device with to() first",
                            op));
  }
  if (target->storage && target->storage->is_read_only()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] in place: the tensor is read-only, as it shows memory that was "
                            "lent for reading alone; write to a clone() of it",
                            op));
  }
  if (target->size_bytes() > 0 && overlaps_itself(*target)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] in place: the view of shape {} shows elements more than once; "
                            "write to a clone() of it",
                            op, describe(target->shape)));
  }
  if (!grad_mode() || !target->history) return;
  const Variable& variable = *variable_of(*target);
  TensorImpl& owner = variable.base ? *variable.base : *target;
  if (!requires_grad(owner)) return;
  const Variable* of_owner = variable_of(owner);
  if (variable.is_made_unrecorded) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] in place: the tensor is a view that was made under NoGrad of one "
                            "that requires a gradient; write under NoGrad, or make the view anew",
                            op));
  }
  if (!of_owner || !of_owner->requires_grad || of_owner->made_by) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] in place: {} a leaf that requires a gradient; do it under NoGrad, "
                          "or on a clone()",
                          op, variable.base ? "the tensor is a view of" : "the tensor is"));
}

}  // namespace switchyard
