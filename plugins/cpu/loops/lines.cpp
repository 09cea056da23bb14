#include "loops/lines.hpp"

#include <cstdlib>

#include "loops/tensor_copy.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu {
namespace {

void append(LineAxes& axes, const LineAxes::Axis& axis) {
  axes.size *= axis.extent;
  if (axis.extent != 1) axes.axes[axes.rank++] = axis;
}

void insert(LineAxes& axes, const LineAxes::Axis& axis, int operands) {
  const auto goes_before = [operands](const LineAxes::Axis& left, const LineAxes::Axis& right) {
    for (int k = 0; k < operands; ++k) {
      const int64_t a = std::abs(left.steps[k]);
      const int64_t b = std::abs(right.steps[k]);
      if (a != b) return a > b;
    }
    return false;
  };
  axes.size *= axis.extent;
  if (axis.extent == 1) return;
  size_t position = axes.rank++;
  for (; position > 0 && goes_before(axis, axes.axes[position - 1]); --position) {
    axes.axes[position] = axes.axes[position - 1];
  }
  axes.axes[position] = axis;
}

bool runs_on(const LineAxes::Axis& outer, const LineAxes::Axis& inner, int operands) {
  for (int k = 0; k < operands; ++k) {
    if (outer.steps[k] != inner.steps[k] * inner.extent) return false;
  }
  return true;
}

void merge(LineAxes& axes, int operands) {
  if (axes.rank == 0) axes.axes[axes.rank++] = {1, {}};  // so that there is always an inner axis
  size_t kept = 0;
  for (size_t i = 1; i < axes.rank; ++i) {
    if (runs_on(axes.axes[kept], axes.axes[i], operands)) {
      const int64_t extent = axes.axes[kept].extent * axes.axes[i].extent;
      axes.axes[kept] = axes.axes[i];
      axes.axes[kept].extent = extent;
    } else {
      axes.axes[++kept] = axes.axes[i];
    }
  }
  axes.rank = kept + 1;
}

LineOperand in_bytes(const ConstTensor& tensor, const sy::Dimensions& strides) {
  LineOperand operand{strides};
  const auto size = static_cast<int64_t>(sy::dtype_bytes(tensor.dtype));
  for (uint32_t i = 0; i < strides.rank; ++i) operand.steps[i] *= size;
  return operand;
}

}  // namespace

LineOperand LineOperand::whole(const ConstTensor& tensor) {
  return in_bytes(tensor, sy::Dimensions(tensor.strides));
}

LineOperand LineOperand::reduced(const ConstTensor& tensor, uint64_t line_axes, size_t rank) {
  sy::Dimensions strides;
  strides.rank = static_cast<uint32_t>(rank);
  const bool keeps_axes = tensor.rank() == rank;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) {
    const bool on_line = (line_axes >> i & 1) != 0;
    strides[i] = on_line ? 0 : tensor.strides[keeps_axes ? i : next];
    if (!on_line) ++next;
  }
  return in_bytes(tensor, strides);
}

LineOperand LineOperand::repeated(const ConstTensor& tensor, sy::Extents shape) {
  return in_bytes(tensor, sy::broadcast_strides(tensor.shape, tensor.strides.data(), shape));
}

LineWalk::LineWalk(sy::Extents shape, uint64_t line_axes, std::span<const LineOperand> given,
                   LineOrder order)
    : operands(static_cast<int>(given.size())) {
  for (size_t i = 0; i < shape.size(); ++i) {
    LineAxes::Axis axis{shape[i], {}};
    for (size_t k = 0; k < given.size(); ++k) axis.steps[k] = given[k].steps[i];
    if ((line_axes >> i & 1) == 0) {
      insert(kept, axis, operands);
    } else if (order == LineOrder::memory) {
      insert(line, axis, operands);
    } else {
      append(line, axis);
    }
  }
  merge(kept, operands);
  merge(line, operands);
}

LineCursor::LineCursor(const LineAxes& axes, int operands, int64_t begin)
    : axes_(axes), operands_(operands) {
  for (size_t i = axes.rank; i-- > 0;) {
    const LineAxes::Axis& axis = axes.axes[i];
    index_[i] = axis.extent == 0 ? 0 : begin % axis.extent;
    if (axis.extent != 0) begin /= axis.extent;
    for (int k = 0; k < operands; ++k) offsets_[k] += index_[i] * axis.steps[k];
  }
}

void LineCursor::next() {
  for (size_t i = axes_.rank; i-- > 0;) {
    const LineAxes::Axis& axis = axes_.axes[i];
    for (int k = 0; k < operands_; ++k) offsets_[k] += axis.steps[k];
    if (++index_[i] < axis.extent) return;
    for (int k = 0; k < operands_; ++k) offsets_[k] -= axis.extent * axis.steps[k];
    index_[i] = 0;
  }
}

uint64_t axis_mask(int64_t axis, size_t rank) {
  return uint64_t{1} << sy::normalize_axis(axis, rank);
}

uint64_t axes_mask(std::span<const int64_t> axes, size_t rank) {
  uint64_t mask = 0;
  for (const int64_t axis : axes) mask |= axis_mask(axis, rank);
  return mask;
}

std::vector<int64_t> integers_of(const ConstTensor& tensor) {
  if (tensor.dtype != SY_INT64 && tensor.dtype != SY_INT32) {
    throw sy::invalid("expected int64 or int32, got ", sy::dtype_name(tensor.dtype));
  }
  std::vector<int64_t> numbers(static_cast<size_t>(tensor.size()));
  if (numbers.empty()) return numbers;
  if (tensor.data == nullptr) throw sy::invalid("an integer input has no data on the host");
  copy_tensor(tensor, ContiguousTensor(SY_INT64, numbers.data(), tensor.shape).get());
  return numbers;
}

}  // namespace cpu
