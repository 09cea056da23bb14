// A tensor as lines along some of its axes, for ops that join or normalize what lies on a line.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "run/tensor.hpp"

namespace cpu {

inline constexpr int line_operands = 4;  // tensors that one walk may address

// Axes merged where they run on into each other, those of extent 1 dropped, outermost first by the
// first operand's steps.
struct LineAxes {
  struct Axis {
    int64_t extent;
    std::array<int64_t, line_operands> steps;  // bytes
  };
  std::array<Axis, SY_MAX_RANK> axes;
  size_t rank = 0;
  int64_t size = 1;  // product of extents

  const Axis& inner() const { return axes[rank - 1]; }
};

using LineOffsets = std::array<int64_t, line_operands>;

// One tensor that the walk addresses: steps in bytes for each axis of the walk's shape.
struct LineOperand {
  sy::Dimensions steps;

  // A tensor of the walk's shape.
  static LineOperand whole(const ConstTensor& tensor);
  // A tensor that lacks the line axes, or has them with extent 1: all of a line meets one element.
  static LineOperand reduced(const ConstTensor& tensor, uint64_t line_axes, size_t rank);
  // A tensor that broadcasts to the walk's shape.
  static LineOperand repeated(const ConstTensor& tensor, sy::Extents shape);
};

// The order of the elements of a line: as they lie in memory, or row-major.
enum class LineOrder { memory, row_major };

class LineWalk {
 public:
  // Bit i of `line_axes`: axis i of `shape` runs along the lines.
  LineWalk(sy::Extents shape, uint64_t line_axes, std::span<const LineOperand> operands,
           LineOrder order = LineOrder::memory);

  int64_t count() const { return kept.size; }   // lines
  int64_t length() const { return line.size; }  // elements of each

  LineAxes kept;  // from line to line
  LineAxes line;  // along one
  int operands;
};

// Offsets of element after element of some axes, in their order.
class LineCursor {
 public:
  LineCursor(const LineAxes& axes, int operands, int64_t begin);
  const LineOffsets& offsets() const { return offsets_; }
  void next();

 private:
  const LineAxes& axes_;
  int operands_;
  std::array<int64_t, SY_MAX_RANK> index_;
  LineOffsets offsets_{};
};

// A node's axes as a mask, each counted from the end if negative. Throws sy::invalid out of range.
uint64_t axes_mask(std::span<const int64_t> axes, size_t rank);
uint64_t axis_mask(int64_t axis, size_t rank);
inline uint64_t all_axes(size_t rank) { return rank == 0 ? 0 : ~uint64_t{0} >> (64 - rank); }

// The elements of an int64 or int32 tensor of any strides, row-major.
std::vector<int64_t> integers_of(const ConstTensor& tensor);

}  // namespace cpu
