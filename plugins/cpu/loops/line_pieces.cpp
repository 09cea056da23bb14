#include "loops/line_pieces.hpp"

#include <algorithm>

#include "loops/convert.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {
namespace {

template <typename W>
constexpr auto number_bytes = static_cast<int64_t>(sizeof(W));

// True if an operand's lines are contiguous numbers of so many bytes.
bool is_dense(const LineAxes& line, int operand, int64_t bytes) {
  int64_t dense = bytes;
  for (size_t i = line.rank; i-- > 0;) {
    const LineAxes::Axis& axis = line.axes[i];
    if (axis.extent != 1 && axis.steps[operand] != dense) return false;
    dense *= axis.extent;
  }
  return true;
}

// Calls `visit(offset, step, count)` for each run of equal steps that is in the piece.
template <typename Visit>
void for_each_run_of_piece(const LineWalk& walk, int operand, const LinePiece& piece, Visit visit) {
  const LineAxes::Axis& inner = walk.line.inner();
  const int64_t step = inner.steps[operand];
  LineAxes outer = walk.line;
  --outer.rank;
  LineCursor cursor(outer, walk.operands, piece.begin / inner.extent);
  int64_t along = piece.begin % inner.extent;
  for (int64_t left = piece.count; left > 0; cursor.next()) {
    const int64_t count = std::min(left, inner.extent - along);
    visit(piece.offsets[operand] + cursor.offsets()[operand] + along * step, step, count);
    left -= count;
    along = 0;
  }
}

template <typename W>
void grow(std::vector<W>& buffer, int64_t count) {
  const auto needed = static_cast<size_t>(count);
  if (buffer.size() < needed) buffer.resize(needed);
}

}  // namespace

template <typename W>
LineReader<W>::LineReader(const LineWalk& walk, int operand, const ConstTensor& tensor)
    : walk_(walk),
      operand_(operand),
      data_(tensor.as<char>()),
      convert_(convert_row(tensor.dtype, sy::dtype_of<W>)),
      direct_(tensor.dtype == sy::dtype_of<W> && is_dense(walk.line, operand, number_bytes<W>)) {}

template <typename W>
const W* LineReader<W>::read(const LinePiece& piece) {
  if (direct_) return reinterpret_cast<const W*>(data_ + piece.offsets[operand_]) + piece.begin;
  grow(buffer_, piece.count);
  auto* numbers = reinterpret_cast<char*>(buffer_.data());
  for_each_run_of_piece(walk_, operand_, piece, [&](int64_t offset, int64_t step, int64_t count) {
    convert_(data_ + offset, step, numbers, number_bytes<W>, count);
    numbers += count * number_bytes<W>;
  });
  return buffer_.data();
}

template <typename W>
LineWriter<W>::LineWriter(const LineWalk& walk, int operand, const Tensor& tensor)
    : walk_(walk),
      operand_(operand),
      data_(tensor.as<char>()),
      convert_(convert_row(sy::dtype_of<W>, tensor.dtype)),
      direct_(tensor.dtype == sy::dtype_of<W> && is_dense(walk.line, operand, number_bytes<W>)) {}

template <typename W>
W* LineWriter<W>::room(const LinePiece& piece) {
  if (direct_) return reinterpret_cast<W*>(data_ + piece.offsets[operand_]) + piece.begin;
  grow(buffer_, piece.count);
  return buffer_.data();
}

template <typename W>
void LineWriter<W>::write(const LinePiece& piece) {
  if (direct_) return;
  const auto* numbers = reinterpret_cast<const char*>(buffer_.data());
  for_each_run_of_piece(walk_, operand_, piece, [&](int64_t offset, int64_t step, int64_t count) {
    convert_(numbers, number_bytes<W>, data_ + offset, step, count);
    numbers += count * number_bytes<W>;
  });
}

template class LineReader<float>;
template class LineReader<double>;
template class LineWriter<float>;
template class LineWriter<double>;

}  // namespace cpu
