// Lines of tensors piece by piece, as contiguous numbers of one working type whatever the dtype and
// strides: gathered and converted before, scattered and converted after.
#pragma once

#include <cstdint>
#include <vector>

#include "loops/lines.hpp"
#include "simd/inner_loop.hpp"

namespace cpu {

// Elements [begin, begin + count) of the line that starts at `offsets`, in the order of its axes.
struct LinePiece {
  LineOffsets offsets{};
  int64_t begin = 0, count = 0;
};

// Reads the tensor that is that operand of the walk, whole. The walk must outlive it. For one
// thread: what does not lie so already is in its buffer until the next piece is read. For W = float
// and double.
template <typename W>
class LineReader {
 public:
  LineReader(const LineWalk& walk, int operand, const ConstTensor& tensor);
  const W* read(const LinePiece& piece);

 private:
  const LineWalk& walk_;
  const int operand_;
  const char* const data_;
  const ConvertRow convert_;
  const bool direct_;  // lines are contiguous numbers of type W already
  std::vector<W> buffer_;
};

// The same for an output: `room` says where to put a piece's numbers, and `write` takes them there.
template <typename W>
class LineWriter {
 public:
  LineWriter(const LineWalk& walk, int operand, const Tensor& tensor);
  W* room(const LinePiece& piece);
  void write(const LinePiece& piece);

 private:
  const LineWalk& walk_;
  const int operand_;
  char* const data_;
  const ConvertRow convert_;
  const bool direct_;
  std::vector<W> buffer_;
};

}  // namespace cpu
