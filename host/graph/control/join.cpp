#include <fmt/format.h>
#include <fmt/ranges.h>

#include <switchyard/error.hpp>

#include "graph/control/control.hpp"

namespace switchyard::control {
namespace {

/// The device that most naturally holds the result: where the first part lies.
std::shared_ptr<OpenDevice> device_for(Execution& execution, const TensorList& parts) {
  for (const TensorRef& part : parts) {
    if (part->device) return part->device->shared_from_this();
  }
  return execution.dispatcher().router().policy()->host_device;
}

void check_parts(const TensorList& parts, std::size_t axis, bool stack) {
  for (const TensorRef& part : parts) {
    if (!part) throw Error(ErrorKind::model, "a part to join is missing, or is not a tensor");
    bool fits = part->dtype == parts[0]->dtype && part->shape.size() == parts[0]->shape.size();
    for (std::size_t d = 0; fits && d < part->shape.size(); ++d) {
      fits = (!stack && d == axis) || part->shape[d] == parts[0]->shape[d];
    }
    if (!fits) {
      throw Error(ErrorKind::model, fmt::format("parts of shapes [{}] and [{}] do not join",
                                                fmt::join(parts[0]->shape.span(), ", "),
                                                fmt::join(part->shape.span(), ", ")));
    }
  }
}

}  // namespace

TensorRef join(Execution& execution, const NodePlan&, const TensorList& parts, std::int64_t axis,
               bool stack) {
  if (parts.empty()) throw Error(ErrorKind::model, "an empty sequence cannot be joined");
  if (!parts[0]) throw Error(ErrorKind::model, "a part to join is missing, or is not a tensor");
  Dims shape = parts[0]->shape;
  const auto rank = static_cast<std::int64_t>(shape.size()) + (stack ? 1 : 0);
  if (axis < -rank || axis >= rank) {
    throw Error(ErrorKind::model, fmt::format("axis {} is outside of rank {}", axis, rank));
  }
  if (axis < 0) axis += rank;
  const auto at = static_cast<std::size_t>(axis);
  check_parts(parts, at, stack);
  if (stack) {
    shape.insert(at, static_cast<std::int64_t>(parts.size()));
  } else {
    shape[at] = 0;
    for (const TensorRef& part : parts) shape[at] += part->shape[at];
  }
  TensorRef whole = make_device_tensor(*device_for(execution, parts), parts[0]->dtype, shape);
  std::int64_t first = 0;
  CopyCount count;
  for (const TensorRef& part : parts) {
    const std::int64_t offset = first * whole->strides[at];
    if (stack) {
      copy_over(part, select(whole, axis, first), count);
      ++first;
    } else {
      copy_over(part, make_view(whole, part->shape, whole->strides, offset), count);
      first += part->shape[at];
    }
  }
  return whole;
}

}  // namespace switchyard::control
