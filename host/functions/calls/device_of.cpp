#include "functions/calls/device_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdlib>
#include <span>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <utility>
#include <vector>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"
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

/// Whether two of its elements are one, of `extents` by `strides` that reach `last`: looks at each.
bool has_element_twice(std::span<const std::pair<std::int64_t, std::int64_t>> dims,
                       std::int64_t last) {
  std::vector<bool> is_seen(static_cast<std::size_t>(last) + 1);
  std::vector<std::int64_t> index(dims.size());
  for (std::int64_t offset = 0;;) {
    if (is_seen[static_cast<std::size_t>(offset)]) return true;
    is_seen[static_cast<std::size_t>(offset)] = true;
    std::size_t d = 0;
    for (; d < dims.size(); ++d) {
      const auto [stride, extent] = dims[d];
      offset += stride;
      if (++index[d] < extent) break;
      offset -= stride * extent;
      index[d] = 0;
    }
    if (d == dims.size()) return false;
  }
}

/// Whether the view shows an element more than once. Where each stride passes all that the smaller
/// ones reach, it does not; else its elements are looked at, of more than a few millions none.
bool overlaps_itself(const TensorImpl& tensor) {
  if (tensor.contiguous) return false;
  constexpr std::int64_t kMost = std::int64_t{1} << 22;
  boost::container::small_vector<std::pair<std::int64_t, std::int64_t>, 8> dims;  // stride, extent
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    if (tensor.shape[d] > 1) dims.emplace_back(std::abs(tensor.strides[d]), tensor.shape[d]);
  }
  std::ranges::sort(dims);
  bool passes = true;
  std::int64_t last = 0;
  for (const auto& [stride, extent] : dims) {
    passes = passes && stride > last;
    last += (extent - 1) * stride;
  }
  if (passes) return false;
  return last > kMost || element_count(tensor.shape) > last + 1 ||
         has_element_twice({dims.data(), dims.size()}, last);
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
