#include "runtime/axes.hpp"

#include <limits>

#include "runtime/limits.hpp"
#include "switchyard/plugin/guard.hpp"

namespace mps {
namespace {

constexpr int64_t most = std::numeric_limits<int32_t>::max();

// True if the axis that was added last and one of `extent` with `strides` at `axis` are one.
bool runs_on(const Axes& axes, std::span<const Walked> operands, size_t axis, int64_t extent) {
  if (axes.rank == 0) return false;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (axes.steps[k][axes.rank - 1] != operands[k].strides[axis] * extent) return false;
  }
  return true;
}

void add_axis(Axes& axes, std::span<const Walked> operands, size_t axis, int64_t extent) {
  const bool merges = runs_on(axes, operands, axis, extent);
  if (!merges && axes.rank == Axes::max_axes) {
    throw sy::unsupported(SY_REASON_RANK, "more than 16 axes that cannot be merged");
  }
  const uint32_t position = merges ? axes.rank - 1 : axes.rank++;
  axes.extents[position] = (merges ? axes.extents[position] : 1) * static_cast<uint32_t>(extent);
  for (size_t k = 0; k < operands.size(); ++k) {
    axes.steps[k][position] = int32_step(operands[k].strides[axis]);
  }
}

}  // namespace

int32_t int32_step(int64_t stride) {
  if (stride > most || stride < -most) {
    throw sy::unsupported(SY_REASON_LIMIT, "a stride of ", stride,
                          " elements: this device walks 2147483647 at most");
  }
  return static_cast<int32_t>(stride);
}

Axes make_axes(sy::Extents shape, std::span<const Walked> operands) {
  const int64_t count = limited_count(shape);
  Axes axes;
  axes.count = static_cast<uint32_t>(count);
  for (size_t i = 0; i < shape.size() && count > 0; ++i) {
    if (shape[i] != 1) add_axis(axes, operands, i, shape[i]);
  }
  for (size_t k = 0; k < operands.size(); ++k) {
    if (count > 0) check_reach(shape, operands[k].strides, operands[k].offset);
    axes.offsets[k] = static_cast<uint32_t>(operands[k].offset);
  }
  return axes;
}

}  // namespace mps
