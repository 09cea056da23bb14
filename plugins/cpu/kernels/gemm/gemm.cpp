#include "kernels/gemm/gemm.hpp"

#include <algorithm>

#include "parallel.hpp"
#include "scratch.hpp"

namespace cpu {
namespace {

constexpr int64_t block_k = 256;     // a right panel of it stays in the first cache
constexpr int64_t block_rows = 192;  // left panels of these rows stay in the second
constexpr int64_t block_columns = 1024;
constexpr int64_t most_rows = 4096;               // whose panels are made at once
constexpr int64_t small_work = int64_t{1} << 22;  // products that are not worth a second thread

int64_t divide_up(int64_t x, int64_t y) { return (x + y - 1) / y; }

// Pieces of equal size, a multiple of `unit`, none above `limit`.
int64_t even_block(int64_t size, int64_t limit, int64_t unit) {
  const int64_t pieces = divide_up(size, limit);
  return divide_up(divide_up(size, pieces), unit) * unit;
}

template <typename T>
void fill_zero(int64_t m, int64_t n, MatrixView<T> c) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) *c.at(i, j) = 0;
  }
}

template <typename T>
MatrixView<T> turned(MatrixView<T> view) {
  return {view.data, view.column_step, view.row_step};
}

template <typename T>
bool is_view(const GemmOperand<T>& operand) {
  return operand.panels == nullptr && !operand.pack;
}

// One call of gemm, block by block.
template <typename T>
class Product {
 public:
  Product(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b,
          MatrixView<T> c, Finish<T> finish)
      : m_(m),
        n_(n),
        k_(k),
        a_(a),
        b_(b),
        c_(c),
        finish_(finish),
        parallel_(m * n * k > small_work) {}

  void run() {
    const int64_t columns = even_block(n_, block_columns, tiles_.columns);
    const int64_t depth = even_block(k_, block_k, 1);
    const int64_t rows = std::min(m_, most_rows);
    const bool packs_right = b_.panels == nullptr;
    const bool packs_left = a_.panels == nullptr;
    reads_rows_ = is_view(b_) && b_.view.column_step == 1 && m_ <= 2 * tiles_.rows;
    const int64_t right_columns = reads_rows_ ? tiles_.columns : columns;
    Scratch<T> right(packs_right ? tiles_.right_size(depth, right_columns) : 0);
    Scratch<T> left(packs_left ? tiles_.left_size(rows, depth) : 0);
    for (int64_t j = 0; j < n_; j += columns) {
      first_column_ = j;
      column_count_ = std::min(columns, n_ - j);
      for (int64_t at = 0; at < k_; at += depth) {
        first_k_ = at;
        depth_ = std::min(depth, k_ - at);
        if (packs_right) pack_right(right.data());
        right_ = right.data();
        for (int64_t i = 0; i < m_; i += rows) {
          first_row_ = i;
          row_count_ = std::min(rows, m_ - i);
          if (packs_left) pack_left(left.data());
          left_ = left.data();
          multiply_blocks();
        }
      }
    }
  }

 private:
  int64_t grain(int64_t count) const { return parallel_ ? 1 : std::max<int64_t>(count, 1); }

  void pack_left(T* panels) {
    const int64_t unit = 8 * Tiles<T>::group;
    const int64_t pieces = divide_up(row_count_, unit);
    parallel_for(pieces, grain(pieces), [&](int64_t begin, int64_t end) {
      const int64_t row = begin * unit;
      const int64_t count = std::min(row_count_, end * unit) - row;
      T* to = panels + row * depth_;
      if (a_.pack) return a_.pack(first_k_, depth_, first_row_ + row, count, to);
      const auto& view = a_.view;
      tiles_.pack_left({view.at(first_row_ + row, first_k_), view.row_step, view.column_step},
                       count, depth_, to);
    });
  }

  void pack_right(T* panels) {
    const int64_t unit = tiles_.columns;
    const int64_t whole =
        reads_rows_ ? column_count_ / unit : 0;  // panels that are read as they are
    const int64_t pieces = divide_up(column_count_, unit) - whole;
    parallel_for(pieces, grain(pieces), [&](int64_t begin, int64_t end) {
      const int64_t column = (whole + begin) * unit;
      const int64_t count = std::min(column_count_, (whole + end) * unit) - column;
      T* to = panels + begin * unit * depth_;
      if (b_.pack) return b_.pack(first_k_, depth_, first_column_ + column, count, to);
      const auto& view = b_.view;
      tiles_.pack_right(
          {view.at(first_k_, first_column_ + column), view.row_step, view.column_step}, depth_,
          count, to);
    });
  }

  // The rows of `panel` of the current block, and how far apart they are.
  const T* right_panel(int64_t panel, int64_t& step) const {
    const int64_t unit = tiles_.columns;
    step = unit;
    if (b_.panels != nullptr) {
      return b_.panels + (first_column_ / unit + panel) * unit * k_ + first_k_ * unit;
    }
    if (!reads_rows_) return right_ + panel * unit * depth_;
    if ((panel + 1) * unit > column_count_) return right_;
    step = b_.view.row_step;
    return b_.view.at(first_k_, first_column_ + panel * unit);
  }

  const T* left_panel(int64_t row, int64_t& group_step) const {
    constexpr int64_t group = Tiles<T>::group;
    group_step = group * (a_.panels != nullptr ? k_ : depth_);
    if (a_.panels == nullptr) return left_ + row * depth_;
    return a_.panels + (first_row_ + row) * k_ + first_k_ * group;
  }

  // Blocks of rows by blocks of panels, each a piece of work.
  void multiply_blocks() {
    const int64_t rows = even_block(row_count_, block_rows, tiles_.rows);
    const int64_t row_blocks = divide_up(row_count_, rows);
    const int64_t panels = divide_up(column_count_, tiles_.columns);
    const int64_t wanted = parallel_ ? divide_up(4 * thread_count(), row_blocks) : 1;
    const int64_t per_block = divide_up(panels, std::clamp<int64_t>(wanted, 1, panels));
    const int64_t panel_blocks = divide_up(panels, per_block);
    const int64_t pieces = row_blocks * panel_blocks;
    parallel_for(pieces, grain(pieces), [&](int64_t begin, int64_t end) {
      for (int64_t piece = begin; piece < end; ++piece) {
        const int64_t row = piece / panel_blocks * rows;
        const int64_t panel = piece % panel_blocks * per_block;
        multiply_block(row, std::min(row_count_, row + rows), panel,
                       std::min(panels, panel + per_block));
      }
    });
  }

  void multiply_block(int64_t row_begin, int64_t row_end, int64_t panel_begin, int64_t panel_end) {
    Finish<T> finish = finish_;
    finish.accumulate = finish.accumulate || first_k_ != 0;
    for (int64_t panel = panel_begin; panel < panel_end; ++panel) {
      const int64_t column = panel * tiles_.columns;
      const int64_t n = std::min(tiles_.columns, column_count_ - column);
      int64_t b_step;
      const T* b = right_panel(panel, b_step);
      for (int64_t row = row_begin; row < row_end; row += tiles_.rows) {
        const int64_t m = std::min(tiles_.rows, row_end - row);
        int64_t group_step;
        const T* a = left_panel(row, group_step);
        T* c = c_.at(first_row_ + row, first_column_ + column);
        if (c_.column_step == 1) {
          tiles_.multiply(m, n, depth_, a, group_step, b, b_step, c, c_.row_step, finish);
        } else {
          multiply_spread(m, n, a, group_step, b, b_step, c, finish);
        }
      }
    }
  }

  // A tile whose columns are not neighbours.
  void multiply_spread(int64_t m, int64_t n, const T* a, int64_t group_step, const T* b,
                       int64_t b_step, T* c, Finish<T> finish) const {
    alignas(64) T tile[Tiles<T>::most_elements];
    const Finish<T> plain{finish.alpha, false};
    tiles_.multiply(m, n, depth_, a, group_step, b, b_step, tile, tiles_.columns, plain);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        T& to = c[i * c_.row_step + j * c_.column_step];
        const T sum = tile[i * tiles_.columns + j];
        to = finish.accumulate ? static_cast<T>(to + sum) : sum;
      }
    }
  }

  const Tiles<T>& tiles_ = tiles<T>();
  const int64_t m_, n_, k_;
  const GemmOperand<T>& a_;
  const GemmOperand<T>& b_;
  const MatrixView<T> c_;
  const Finish<T> finish_;
  const bool parallel_;
  bool reads_rows_ =
      false;  // of b, where they are, since packing them would cost as much as using them

  // The block at hand.
  int64_t first_column_ = 0, column_count_ = 0;
  int64_t first_row_ = 0, row_count_ = 0;
  int64_t first_k_ = 0, depth_ = 0;
  const T* left_ = nullptr;
  const T* right_ = nullptr;
};

// A row by a matrix in memory. False if a step does not fit.
template <typename T>
bool multiply_row(int64_t n, int64_t k, MatrixView<const T> a, MatrixView<const T> b,
                  MatrixView<T> c, Finish<T> finish) {
  const bool by_rows = b.column_step == 1;
  if ((!by_rows && b.row_step != 1) || (c.column_step != 1 && n != 1)) return false;
  Scratch<T> copy(a.column_step == 1 ? 0 : k);
  const T* row = a.data;
  if (a.column_step != 1) {
    for (int64_t i = 0; i < k; ++i) copy[i] = a.data[i * a.column_step];
    row = copy.data();
  }
  const Tiles<T>& kernels = tiles<T>();
  constexpr int64_t unit = 64;
  constexpr int64_t most = 4096;  // columns whose sums stay in the first cache
  const int64_t pieces = divide_up(n, unit);
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 18) / (unit * k));
  parallel_for(pieces, grain, [&](int64_t begin, int64_t end) {
    const int64_t last = std::min(n, end * unit);
    for (int64_t first = begin * unit; first < last; first += most) {
      const int64_t count = std::min(most, last - first);
      T* to = c.data + first;
      if (by_rows) {
        kernels.row_by_rows(count, k, row, b.data + first, b.row_step, to, finish);
      } else {
        kernels.row_by_columns(count, k, row, b.data + first * b.column_step, b.column_step, to,
                               finish);
      }
    }
  });
  return true;
}

}  // namespace

template <typename T>
void gemm(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b,
          MatrixView<T> c, Finish<T> finish) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    if (!finish.accumulate) fill_zero(m, n, c);
    return;
  }
  if (is_view(a) && is_view(b)) {
    if (m == 1 && multiply_row(n, k, a.view, b.view, c, finish)) return;
    if (n == 1 && multiply_row(m, k, turned(b.view), turned(a.view), turned(c), finish)) return;
    if (c.column_step != 1 && c.row_step == 1) {
      const GemmOperand<T> left{turned(b.view)};
      const GemmOperand<T> right{turned(a.view)};
      return Product<T>(n, m, k, left, right, turned(c), finish).run();
    }
  }
  Product<T>(m, n, k, a, b, c, finish).run();
}

template void gemm(int64_t, int64_t, int64_t, const GemmOperand<float>&, const GemmOperand<float>&,
                   MatrixView<float>, Finish<float>);
template void gemm(int64_t, int64_t, int64_t, const GemmOperand<double>&,
                   const GemmOperand<double>&, MatrixView<double>, Finish<double>);
template void gemm(int64_t, int64_t, int64_t, const GemmOperand<int32_t>&,
                   const GemmOperand<int32_t>&, MatrixView<int32_t>, Finish<int32_t>);
template void gemm(int64_t, int64_t, int64_t, const GemmOperand<uint64_t>&,
                   const GemmOperand<uint64_t>&, MatrixView<uint64_t>, Finish<uint64_t>);

}  // namespace cpu
