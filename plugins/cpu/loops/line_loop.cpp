#include "loops/line_loop.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "loops/convert.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {
namespace {

// Lines gathered together: neighbours whose elements lie side by side share the lines of the cache.
constexpr int64_t most_together = 16;
constexpr int64_t most_buffered = int64_t{1} << 18;  // elements

// One side of the loop: how the lines of an operand that is read become contiguous numbers of type
// W, or how these become the lines of one that is written.
template <typename W, bool reads>
struct Side {
  using Whole = std::conditional_t<reads, ConstTensor, Tensor>;
  using Byte = std::conditional_t<reads, const char, char>;

  Byte* data = nullptr;
  int operand = 0;
  int64_t bytes = 0;  // of an element
  ConvertRow convert = nullptr;
  bool direct = false;  // lines are contiguous numbers of type W already

  static Side of(const Whole& tensor, int operand, const LineWalk& walk) {
    Side side;
    side.data = tensor.template as<char>();
    side.operand = operand;
    side.bytes = static_cast<int64_t>(sy::dtype_bytes(tensor.dtype));
    const sy_dtype working = sy::dtype_of<W>;
    side.convert = reads ? convert_row(tensor.dtype, working) : convert_row(working, tensor.dtype);
    side.direct = tensor.dtype == working && walk.line.rank == 1 &&
                  (walk.line.inner().steps[operand] == side.bytes || walk.length() == 1);
    return side;
  }

  bool is_there() const { return data != nullptr; }

  // A tensor without elements may lie nowhere: none of its lines has an element.
  Byte* begin_of(const LineOffsets& offsets) const {
    return data == nullptr ? nullptr : data + offsets[operand];
  }

  bool lie_side_by_side(const LineOffsets* offsets, int64_t lines) const {
    return lines > 1 && offsets[1][operand] - offsets[0][operand] == bytes;
  }
};

// Calls `visit(offset, step, count)` for each contiguous-in-steps run of the line axes.
template <typename Visit>
void for_each_run(const LineWalk& walk, int operand, Visit visit) {
  if (walk.length() == 0) return;
  const LineAxes::Axis& inner = walk.line.inner();
  const int64_t runs = walk.length() / inner.extent;
  LineAxes outer = walk.line;
  --outer.rank;
  LineCursor cursor(outer, walk.operands, 0);
  for (int64_t i = 0; i < runs; ++i, cursor.next()) {
    visit(cursor.offsets()[operand], inner.steps[operand], inner.extent);
  }
}

// Some lines of a side as contiguous numbers: where they are, or in a buffer.
template <typename W, bool reads>
class Batch {
 public:
  using Number = std::conditional_t<reads, const W, W>;

  Batch(const LineWalk& walk, const Side<W, reads>& side, int64_t lines)
      : walk_(walk),
        side_(side),
        buffer_(static_cast<size_t>(side.direct ? 0 : lines * walk.length())) {}

  Number* line(const LineOffsets* offsets, int64_t i) {
    if (side_.direct) return reinterpret_cast<Number*>(side_.begin_of(offsets[i]));
    return buffer_.data() + i * walk_.length();
  }

  // Fills the buffer before the lines are read, or empties it once they are written.
  void transfer(const LineOffsets* offsets, int64_t lines) {
    if (side_.direct) return;
    if (side_.lie_side_by_side(offsets, lines)) return transfer_together(offsets, lines);
    for (int64_t i = 0; i < lines; ++i) transfer_line(offsets[i], i);
  }

 private:
  using Byte = typename Side<W, reads>::Byte;
  static constexpr auto size = static_cast<int64_t>(sizeof(W));

  void transfer_line(const LineOffsets& offsets, int64_t i) {
    Byte* position = side_.begin_of(offsets);
    W* line = buffer_.data() + i * walk_.length();
    for_each_run(walk_, side_.operand, [&](int64_t offset, int64_t step, int64_t count) {
      auto* numbers = reinterpret_cast<char*>(line);
      if constexpr (reads) {
        side_.convert(position + offset, step, numbers, size, count);
      } else {
        side_.convert(numbers, size, position + offset, step, count);
      }
      line += count;
    });
  }

  // Element after element of all the lines at once.
  void transfer_together(const LineOffsets* offsets, int64_t lines) {
    std::array<W, most_together> row;
    auto* numbers = reinterpret_cast<char*>(row.data());
    W* at = buffer_.data();
    const int64_t length = walk_.length();
    for_each_run(walk_, side_.operand, [&](int64_t offset, int64_t step, int64_t count) {
      Byte* position = side_.begin_of(offsets[0]) + offset;
      for (int64_t r = 0; r < count; ++r, ++at, position += step) {
        if constexpr (reads) {
          side_.convert(position, side_.bytes, numbers, size, lines);
          for (int64_t i = 0; i < lines; ++i) at[i * length] = row[i];
        } else {
          for (int64_t i = 0; i < lines; ++i) row[i] = at[i * length];
          side_.convert(numbers, size, position, side_.bytes, lines);
        }
      }
    });
  }

  const LineWalk& walk_;
  const Side<W, reads>& side_;
  std::vector<W> buffer_;
};

template <typename W>
struct BodyLoop {
  const LineWalk& walk;
  Side<W, true> input;
  Side<W, false> output;  // not there if nothing is written
  Side<W, true> other;    // not there if one tensor is read
  detail::LineBody<W> body;

  int64_t together() const {
    const auto is_easy = [](const auto& side) { return side.direct || !side.is_there(); };
    if (is_easy(input) && is_easy(output) && is_easy(other)) return 1;
    return std::clamp<int64_t>(most_buffered / std::max<int64_t>(walk.length(), 1), 1,
                               most_together);
  }

  // How many of the next lines, from `index` on, may be taken at once: they lie on the inner axis.
  int64_t take(int64_t index, int64_t end) const {
    const int64_t extent = walk.kept.inner().extent;
    return std::min({together(), end - index, extent - index % extent});
  }

  void run(int64_t begin, int64_t end) const {
    const bool writes = output.is_there(), reads_other = other.is_there();
    Batch<W, true> in(walk, input, together());
    Batch<W, false> out(walk, output, writes ? together() : 0);
    Batch<W, true> beside(walk, other, reads_other ? together() : 0);
    LineCursor cursor(walk.kept, walk.operands, begin);
    std::array<LineOffsets, most_together> offsets;
    for (int64_t index = begin; index < end;) {
      const int64_t lines = take(index, end);
      for (int64_t i = 0; i < lines; ++i, cursor.next()) offsets[i] = cursor.offsets();
      in.transfer(offsets.data(), lines);
      if (reads_other) beside.transfer(offsets.data(), lines);
      for (int64_t i = 0; i < lines; ++i) {
        W* y = writes ? out.line(offsets.data(), i) : nullptr;
        const W* second = reads_other ? beside.line(offsets.data(), i) : nullptr;
        body.call(body.object, in.line(offsets.data(), i), second, y, offsets[i], index + i);
      }
      if (writes) out.transfer(offsets.data(), lines);
      index += lines;
    }
  }
};

template <typename W>
BodyLoop<W> loop_of(const LineWalk& walk, const LineTensors& tensors, detail::LineBody<W> body) {
  using Read = Side<W, true>;
  using Written = Side<W, false>;
  return {walk, Read::of(*tensors.input, 0, walk),
          tensors.output == nullptr ? Written{} : Written::of(*tensors.output, 1, walk),
          tensors.other == nullptr ? Read{} : Read::of(*tensors.other, 2, walk), body};
}

}  // namespace

namespace detail {

template <typename W>
void for_each_line(const LineWalk& walk, const LineTensors& tensors, int64_t grain,
                   LineBody<W> body) {
  if (walk.count() == 0) return;
  const BodyLoop<W> loop = loop_of(walk, tensors, body);
  const int64_t lines = std::max<int64_t>(1, grain / std::max<int64_t>(walk.length(), 1));
  parallel_for(walk.count(), lines, [&](int64_t begin, int64_t end) { loop.run(begin, end); });
}

template <typename W>
void visit_lines(const LineWalk& walk, const LineTensors& tensors, int64_t begin, int64_t end,
                 LineBody<W> body) {
  loop_of(walk, tensors, body).run(begin, end);
}

template void for_each_line(const LineWalk&, const LineTensors&, int64_t, LineBody<float>);
template void for_each_line(const LineWalk&, const LineTensors&, int64_t, LineBody<double>);
template void for_each_line(const LineWalk&, const LineTensors&, int64_t, LineBody<int64_t>);
template void for_each_line(const LineWalk&, const LineTensors&, int64_t, LineBody<uint64_t>);

template void visit_lines(const LineWalk&, const LineTensors&, int64_t, int64_t, LineBody<float>);
template void visit_lines(const LineWalk&, const LineTensors&, int64_t, int64_t, LineBody<double>);

}  // namespace detail

sy_dtype working_dtype(sy_dtype dtype) {
  switch (dtype) {
    case SY_FLOAT64: return SY_FLOAT64;
    case SY_UINT64: return SY_UINT64;
    case SY_FLOAT32:
    case SY_FLOAT16:
    case SY_BFLOAT16: return SY_FLOAT32;
    default: return SY_INT64;
  }
}

}  // namespace cpu
