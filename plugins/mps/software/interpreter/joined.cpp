// concatenate and gather: whole blocks of x go to their positions.
#include <string>

#include "seam/seam.hpp"
#include "software/interpreter/movement.hpp"

namespace mps::software::interpreter {

Value concatenate(const std::vector<const Value*>& operands, const seam::Axes& axes,
                  const seam::TensorType& type) {
  Value result(type);
  const int64_t axis = axes.axes.front();
  const auto bytes = static_cast<int64_t>(element_bytes(type.element));
  const Lane whole = lane_of(type.shape, axis);
  int64_t first = 0;
  for (const Value* operand : operands) {
    const int64_t extent = operand->shape()[static_cast<size_t>(axis)];
    const int64_t block = extent * whole.after * bytes;
    for (int64_t i = 0; i < whole.before; ++i) {
      copy_bytes(result.storage() + (i * whole.extent + first) * whole.after * bytes,
                 operand->data() + i * block, static_cast<size_t>(block));
    }
    first += extent;
  }
  return result;
}

Value gather(const Value& x, const Value& indices, const seam::Axes& axes,
             const seam::TensorType& type) {
  Value result(type);
  const Lane lane = lane_of(x.shape(), axes.axes.front());
  const auto block = lane.after * static_cast<int64_t>(element_bytes(type.element));
  std::byte* next = result.storage();
  for (int64_t i = 0; i < indices.count(); ++i) {
    const int64_t index = load<int32_t>(indices.data(), i);
    if (index < 0 || index >= lane.extent) {
      throw seam::Failure(seam::Fault::invalid, "index " + std::to_string(index) +
                                                    " is not on an axis of extent " +
                                                    std::to_string(lane.extent));
    }
  }
  for (int64_t before = 0; before < lane.before; ++before) {
    for (int64_t i = 0; i < indices.count(); ++i) {
      const int64_t index = load<int32_t>(indices.data(), i);
      copy_bytes(next, x.data() + (before * lane.extent + index) * block,
                 static_cast<size_t>(block));
      next += block;
    }
  }
  return result;
}

}  // namespace mps::software::interpreter
