// ReduceSum and the like. Float results do not depend on the number of threads: what is joined
// apart is cut by shape alone and joined in order.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/reduction/reduce.hpp"
#include "loops/convert.hpp"
#include "loops/copy.hpp"
#include "loops/line_loop.hpp"
#include "loops/lines.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/parallel.hpp"
#include "simd/reduce_functions.hpp"
#include "switchyard/plugin/division.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

using Finish = ReduceFinish;

template <typename A>
A finished(Finish finish, A value, int64_t count) {
  switch (finish) {
    case Finish::mean:
      if constexpr (std::is_integral_v<A>) {
        return count == 0 ? A{0} : static_cast<A>(value / static_cast<A>(count));
      } else {
        return value / static_cast<A>(count);
      }
    case Finish::root: return convert<A>(std::sqrt(static_cast<double>(value)));
    case Finish::logarithm: return convert<A>(std::log(static_cast<double>(value)));
    default: return value;
  }
}

constexpr int64_t piece = int64_t{1} << 16;  // elements joined in one go

template <typename W>
class Reduction {
 public:
  using A = Accumulator<W>;

  Reduction(ReduceKind kind, Finish finish, const LineWalk& walk, const ConstTensor& input,
            const Tensor& output)
      : functions_(reduce_functions<W>(kind)),
        finish_(finish),
        walk_(walk),
        input_(input.as<char>()),
        output_(output.as<char>()),
        bytes_(static_cast<int64_t>(sy::dtype_bytes(input.dtype))),
        plain_(input.dtype == sy::dtype_of<W>),
        load_(convert_row(input.dtype, sy::dtype_of<W>)),
        store_(convert_row(sy::dtype_of<W>, output.dtype)),
        of_none_(value_of_none(kind, output.dtype)) {}

  void run() {
    if (walk_.count() == 0) return;
    if (walk_.length() == 0) return fill(of_none_);
    if (is_side_by_side()) {
      reduce_columns();
    } else {
      reduce_rows();
    }
  }

 private:
  // The extreme of no integers is the limit of their own type: W's, shifted down to a signed type
  // or cut off by the conversion to an unsigned one.
  A value_of_none(ReduceKind kind, sy_dtype dtype) const {
    constexpr uint64_t signed_dtypes = SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_INT16) |
                                       SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);
    if constexpr (std::is_integral_v<A>) {
      if (kind == ReduceKind::max || kind == ReduceKind::min) {
        if (dtype == SY_BOOL) return kind == ReduceKind::min;
        if ((SY_DTYPE_BIT(dtype) & signed_dtypes) != 0) {
          return functions_.nothing >> (64 - 8 * sy::dtype_bytes(dtype));
        }
      }
    }
    return functions_.nothing;
  }

  // Neighbouring lines lie side by side, while a line's own elements are far apart; or lines are so
  // short that many at once cost less.
  bool is_side_by_side() const {
    const LineAxes::Axis& along = walk_.line.inner();
    const LineAxes::Axis& across = walk_.kept.inner();
    if (walk_.length() < 16 && across.extent >= 64) return true;
    return across.steps[0] == bytes_ && across.extent >= 4 && along.steps[0] != bytes_;
  }

  void emit(A value, char* position) const {
    const W number = static_cast<W>(finished(finish_, value, walk_.length()));
    store_(reinterpret_cast<const char*>(&number), 0, position, 0, 1);
  }

  void fill(A value) const {
    LineCursor cursor(walk_.kept, walk_.operands, 0);
    for (int64_t i = 0; i < walk_.count(); ++i, cursor.next()) {
      emit(value, output_ + cursor.offsets()[1]);
    }
  }

  // ---- line by line

  A run_of(const char* at, int64_t step, int64_t count) const {
    if (plain_ && step == bytes_) return functions_.row(reinterpret_cast<const W*>(at), count);
    constexpr int64_t block = 512;
    std::array<W, block> numbers;
    A joined = functions_.nothing;
    for (int64_t i = 0; i < count; i += block) {
      const int64_t part = std::min(block, count - i);
      load_(at + i * step, step, reinterpret_cast<char*>(numbers.data()), sizeof(W), part);
      joined = functions_.join(joined, functions_.row(numbers.data(), part));
    }
    return joined;
  }

  // A line is cut into pieces of whole runs along its inner axis, or, if it is one run, of that.
  struct Cut {
    int64_t pieces, runs_a_piece, elements_a_piece;
  };

  Cut cut() const {
    const int64_t inner = walk_.line.inner().extent;
    const int64_t runs = walk_.length() / inner;
    if (runs == 1) return {sy::ceil_div(inner, piece), 1, piece};
    const int64_t runs_a_piece = std::max<int64_t>(1, piece / inner);
    return {sy::ceil_div(runs, runs_a_piece), runs_a_piece, runs_a_piece * inner};
  }

  A piece_of(const char* line, const Cut& cut, int64_t index) const {
    const LineAxes::Axis& inner = walk_.line.inner();
    const int64_t runs = walk_.length() / inner.extent;
    if (runs == 1) {
      const int64_t first = index * cut.elements_a_piece;
      const int64_t count = std::min(cut.elements_a_piece, inner.extent - first);
      return run_of(line + first * inner.steps[0], inner.steps[0], count);
    }
    LineAxes outer = walk_.line;
    --outer.rank;
    const int64_t first = index * cut.runs_a_piece;
    const int64_t last = std::min(first + cut.runs_a_piece, runs);
    LineCursor cursor(outer, 1, first);
    A joined = functions_.nothing;
    for (int64_t i = first; i < last; ++i, cursor.next()) {
      const A run = run_of(line + cursor.offsets()[0], inner.steps[0], inner.extent);
      joined = functions_.join(joined, run);
    }
    return joined;
  }

  void reduce_rows() const {
    const Cut cut = this->cut();
    if (cut.pieces == 1) return reduce_whole_rows(cut);
    std::vector<A> parts(static_cast<size_t>(walk_.count() * cut.pieces));
    parallel_for(static_cast<int64_t>(parts.size()), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const LineCursor cursor(walk_.kept, walk_.operands, i / cut.pieces);
        parts[i] = piece_of(input_ + cursor.offsets()[0], cut, i % cut.pieces);
      }
    });
    join_parts(parts, cut.pieces, 1);
  }

  void reduce_whole_rows(const Cut& cut) const {
    const int64_t grain = std::max<int64_t>(1, cheap_grain / std::max<int64_t>(walk_.length(), 8));
    parallel_for(walk_.count(), grain, [&](int64_t begin, int64_t end) {
      LineCursor cursor(walk_.kept, walk_.operands, begin);
      for (int64_t i = begin; i < end; ++i, cursor.next()) {
        emit(piece_of(input_ + cursor.offsets()[0], cut, 0), output_ + cursor.offsets()[1]);
      }
    });
  }

  // The parts of line i are at i * pieces * ... + k * stride.
  void join_parts(const std::vector<A>& parts, int64_t pieces, int64_t stride) const {
    LineCursor cursor(walk_.kept, walk_.operands, 0);
    for (int64_t i = 0; i < walk_.count(); ++i, cursor.next()) {
      const A* part = parts.data() + (stride == 1 ? i * pieces : i);
      A joined = functions_.nothing;
      for (int64_t k = 0; k < pieces; ++k) joined = functions_.join(joined, part[k * stride]);
      emit(joined, output_ + cursor.offsets()[1]);
    }
  }

  // ---- many lines at once, side by side

  static constexpr int64_t tile = 512;  // lines

  struct Columns {
    std::array<W, tile> block;  // of up to column_rows rows
    std::array<A, tile> joined;
    std::array<W, 4 * tile> loaded;  // converted rows
    int64_t rows_in_block = 0;
    bool empty = true;  // `joined` holds nothing yet
  };

  void start(Columns& columns, int64_t width) const {
    std::fill_n(columns.block.begin(), width, static_cast<W>(functions_.nothing));
    columns.rows_in_block = 0;
    columns.empty = true;
  }

  void flush(Columns& columns, int64_t width) const {
    for (int64_t i = 0; i < width; ++i) {
      const A value = static_cast<A>(columns.block[i]);
      columns.joined[i] = columns.empty ? value : functions_.join(columns.joined[i], value);
      columns.block[i] = static_cast<W>(functions_.nothing);
    }
    columns.rows_in_block = 0;
    columns.empty = false;
  }

  void add_rows(Columns& columns, const char* at, int64_t step, int64_t rows, int64_t width) const {
    const int64_t across = walk_.kept.inner().steps[0];
    if (plain_ && across == bytes_) {
      functions_.columns(reinterpret_cast<const W*>(at), step / bytes_, rows, width,
                         columns.block.data());
      return;
    }
    for (int64_t r = 0; r < rows; r += 4) {
      const int64_t some = std::min<int64_t>(4, rows - r);
      for (int64_t k = 0; k < some; ++k) {
        load_(at + (r + k) * step, across, reinterpret_cast<char*>(&columns.loaded[k * tile]),
              sizeof(W), width);
      }
      functions_.columns(columns.loaded.data(), tile, some, width, columns.block.data());
    }
  }

  // Rows [first, last) of the line axes, numbered in their order.
  void add_range(Columns& columns, const char* at, int64_t first, int64_t last,
                 int64_t width) const {
    const LineAxes::Axis& inner = walk_.line.inner();
    while (first < last) {
      const int64_t in_run = inner.extent - first % inner.extent;
      const int64_t rows = std::min({last - first, in_run, column_rows - columns.rows_in_block});
      const LineCursor cursor(walk_.line, 1, first);
      add_rows(columns, at + cursor.offsets()[0], inner.steps[0], rows, width);
      first += rows;
      columns.rows_in_block += rows;
      if (columns.rows_in_block == column_rows) flush(columns, width);
    }
    flush(columns, width);
  }

  void reduce_columns() const {
    const int64_t extent = walk_.kept.inner().extent;
    const int64_t tiles = sy::ceil_div(extent, tile);
    const int64_t outer = walk_.count() / extent;
    const int64_t width = std::min(extent, tile);
    const int64_t rows = std::max<int64_t>(column_rows, 4 * piece / width);  // to a piece
    const int64_t pieces = sy::ceil_div(walk_.length(), rows);
    std::vector<A> parts(static_cast<size_t>(pieces > 1 ? pieces * walk_.count() : 0));
    const int64_t tasks = outer * tiles * pieces;
    const int64_t work = std::max<int64_t>(1, width * std::min(rows, walk_.length()));
    parallel_for(tasks, std::max<int64_t>(1, cheap_grain / work), [&](int64_t begin, int64_t end) {
      Columns columns;
      for (int64_t task = begin; task < end; ++task) {
        const int64_t k = task % pieces;
        const int64_t first = task / pieces / tiles * extent + task / pieces % tiles * tile;
        reduce_tile(columns, first, k * rows, std::min((k + 1) * rows, walk_.length()),
                    pieces > 1 ? parts.data() + k * walk_.count() : nullptr);
      }
    });
    if (pieces > 1) join_parts(parts, pieces, walk_.count());
  }

  void reduce_tile(Columns& columns, int64_t first_line, int64_t first_row, int64_t last_row,
                   A* parts) const {
    const int64_t extent = walk_.kept.inner().extent;
    const int64_t width = std::min(tile, extent - first_line % extent);
    const LineCursor cursor(walk_.kept, walk_.operands, first_line);
    start(columns, width);
    add_range(columns, input_ + cursor.offsets()[0], first_row, last_row, width);
    if (parts != nullptr) {
      std::copy_n(columns.joined.begin(), width, parts + first_line);
      return;
    }
    for (int64_t i = 0; i < width; ++i) {
      columns.block[i] = static_cast<W>(finished(finish_, columns.joined[i], walk_.length()));
    }
    store_(reinterpret_cast<const char*>(columns.block.data()), sizeof(W),
           output_ + cursor.offsets()[1], walk_.kept.inner().steps[1], width);
  }

  ReduceFunctions<W> functions_;
  Finish finish_;
  const LineWalk& walk_;
  const char* input_;
  char* output_;
  int64_t bytes_;
  bool plain_;  // the input's type is the working type
  ConvertRow load_, store_;
  A of_none_;
};

// ---- the ops

struct ReduceOp {
  const char* op;
  ReduceKind kind;
  Finish finish;
  bool keeps_one;  // one element by itself stays what it is
};

constexpr ReduceOp reduce_ops[] = {
    {"ReduceSum", ReduceKind::sum, Finish::nothing, true},
    {"ReduceMean", ReduceKind::sum, Finish::mean, true},
    {"ReduceMax", ReduceKind::max, Finish::nothing, true},
    {"ReduceMin", ReduceKind::min, Finish::nothing, true},
    {"ReduceProd", ReduceKind::product, Finish::nothing, true},
    {"ReduceL1", ReduceKind::sum_of_magnitudes, Finish::nothing, false},
    {"ReduceL2", ReduceKind::sum_of_squares, Finish::root, false},
    {"ReduceSumSquare", ReduceKind::sum_of_squares, Finish::nothing, false},
    {"ReduceLogSum", ReduceKind::sum, Finish::logarithm, false},
};

const ReduceOp& reduce_op(std::string_view name) {
  for (const ReduceOp& op : reduce_ops) {
    if (name == op.op) return op;
  }
  throw sy::bug("no reduction ", name);
}

// Axes come as input 1; none or an empty list means all, or none where the node says so.
struct Axes {
  bool none_if_empty;

  uint64_t of(Call& call) const {
    const size_t rank = call.input(0).rank();
    if (call.has_input(1)) {
      const std::vector<int64_t> axes = integers_of(call.input(1));
      if (!axes.empty()) return axes_mask(axes, rank);
    }
    return none_if_empty ? 0 : all_axes(rank);
  }
  bool are_none(Call& call) const {
    return none_if_empty && (!call.has_input(1) || call.input(1).size() == 0);
  }
};

LineWalk reducing_walk(const ConstTensor& input, const Tensor& output, uint64_t axes) {
  const std::array<LineOperand, 2> operands = {LineOperand::whole(input),
                                               LineOperand::reduced(output, axes, input.rank())};
  return LineWalk(input.shape, axes, operands);
}

}  // namespace

void reduce(ReduceKind kind, ReduceFinish finish, const ConstTensor& input, const Tensor& output,
            uint64_t axes) {
  const LineWalk walk = reducing_walk(input, output, axes);
  visit_dtype<float, double, int64_t, uint64_t>(working_dtype(input.dtype), [&](auto zero) {
    Reduction<decltype(zero)>(kind, finish, walk, input, output).run();
  });
}

namespace {

Prepared make_reduction(const sy::Node& node) {
  const ReduceOp op = reduce_op(node.op());
  const Axes axes{node.flag("noop_with_empty_axes")};
  Prepared made;
  made.kernel = function_kernel([op, axes](Call& call) {
    const ConstTensor& input = call.input(0);
    const Tensor& output = call.output(0);
    if (op.keeps_one && axes.are_none(call)) return copy_tensor(input, output);
    reduce(op.kind, op.finish, input, output, axes.of(call));
  });
  return made;
}

// ---- ReduceLogSumExp: shifted by the largest, so that no power overflows

template <typename W>
double log_sum_exp(const W* x, int64_t count) {
  W most = -std::numeric_limits<W>::infinity();
  for (int64_t i = 0; i < count; ++i) most = x[i] > most || x[i] != x[i] ? x[i] : most;
  if (!std::isfinite(most)) return static_cast<double>(most);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += std::exp(static_cast<double>(x[i] - most));
  return std::log(sum) + static_cast<double>(most);
}

template <typename W>
void reduce_log_sum_exp(const LineWalk& walk, const ConstTensor& input, const Tensor& output) {
  const ConvertRow store = convert_row(SY_FLOAT64, output.dtype);
  const auto body = [&](const W* x, W*, const LineOffsets& offsets, int64_t) {
    const double value = log_sum_exp(x, walk.length());
    store(reinterpret_cast<const char*>(&value), 0, output.as<char>() + offsets[1], 0, 1);
  };
  for_each_line<W>(walk, {&input}, expensive_grain, body);
}

Prepared make_log_sum_exp(const sy::Node& node) {
  const Axes axes{node.flag("noop_with_empty_axes")};
  const bool narrow = working_dtype(node.required_input(0).dtype) == SY_FLOAT32;
  Prepared made;
  made.kernel = function_kernel([axes, narrow](Call& call) {
    const ConstTensor& input = call.input(0);
    const Tensor& output = call.output(0);
    if (axes.are_none(call)) return copy_tensor(input, output);
    const LineWalk walk = reducing_walk(input, output, axes.of(call));
    if (narrow) return reduce_log_sum_exp<float>(walk, input, output);
    reduce_log_sum_exp<double>(walk, input, output);
  });
  return made;
}

std::vector<KernelRow> make_rows() {
  constexpr uint64_t ordered = numeric_types | SY_DTYPE_BIT(SY_BOOL);
  std::vector<KernelRow> rows;
  for (const ReduceOp& op : reduce_ops) {
    const bool takes_bool = op.kind == ReduceKind::max || op.kind == ReduceKind::min;
    const uint64_t dtypes = takes_bool ? ordered : numeric_types;
    rows.push_back({op.op, dtypes, dtypes, make_reduction, nullptr, any_strides});
  }
  rows.push_back(
      {"ReduceLogSumExp", numeric_types, numeric_types, make_log_sum_exp, nullptr, any_strides});
  return rows;
}

}  // namespace

KernelTable reduction_kernels() {
  static const auto& rows = *new std::vector<KernelRow>(make_rows());
  return rows;
}

}  // namespace cpu
