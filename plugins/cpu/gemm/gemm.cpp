#include "gemm/gemm.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "gemm/long_sums.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"
#include "switchyard/plugin/division.hpp"

#ifdef SWITCHYARD_CPU_ONEDNN
#include "machine/held_signals.hpp"
#include "onednn/float_product.hpp"
#endif

namespace cpu {
namespace {

constexpr int64_t block_k = 256;     // a right panel of it stays in the first cache
constexpr int64_t block_rows = 192;  // left panels of these rows stay in the second
constexpr int64_t block_columns = 1024;
constexpr int64_t most_rows = 4096;  // whose panels are made at once
constexpr int64_t block_work = int64_t{1}
                               << 20;  // products that take a thread 10 to 20 microseconds
constexpr int64_t most_blocks = 64;

using sy::divide_up;

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
  return operand.panels == nullptr && !operand.pack && operand.strips == nullptr;
}

// A part of the result.
struct Block {
  int64_t row, rows, column, columns;
};

// One block of a product, by our own tiles.
template <typename T>
class TiledBlock {
 public:
  TiledBlock(const Block& block, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b,
             MatrixView<T> c, Finish<T> finish)
      : block_(block), k_(k), a_(a), b_(b), c_(c), finish_(finish) {}

  void run() {
    const int64_t columns = even_block(block_.columns, block_columns, tiles_.columns);
    const int64_t depth = even_block(k_, block_k, 1);
    const int64_t rows = std::min(block_.rows, most_rows);
    const bool packs_right = b_.panels == nullptr;
    const bool packs_left = a_.panels == nullptr;
    reads_rows_ = is_view(b_) && b_.view.column_step == 1 && block_.rows <= 2 * tiles_.rows;
    const int64_t right_columns = reads_rows_ ? tiles_.columns : columns;
    const Scratch<T> right(packs_right ? tiles_.right_size(depth, right_columns) : 0);
    const Scratch<T> left(packs_left ? tiles_.left_size(rows, depth) : 0);
    right_ = right.data();
    left_ = left.data();
    for (int64_t j = 0; j < block_.columns; j += columns) {
      first_column_ = block_.column + j;
      column_count_ = std::min(columns, block_.columns - j);
      const LongSums<T> sums({c_.at(block_.row, first_column_), c_.row_step, c_.column_step},
                             block_.rows, column_count_, k_ > spread_sums);
      for (int64_t at = 0, joined = 0; at < k_; at += depth) {
        if (at - joined >= spread_sums) {
          sums.join();
          joined = at;
        }
        first_k_ = at;
        depth_ = std::min(depth, k_ - at);
        if (packs_right) pack_right(right.data());
        for (int64_t i = 0; i < block_.rows; i += rows) {
          first_row_ = block_.row + i;
          row_count_ = std::min(rows, block_.rows - i);
          if (packs_left) pack_left(left.data());
          multiply();
        }
      }
      sums.finish();
    }
  }

 private:
  void pack_left(T* panels) {
    if (a_.pack) return a_.pack(first_k_, depth_, first_row_, row_count_, panels);
    const auto& view = a_.view;
    tiles_.pack_left({view.at(first_row_, first_k_), view.row_step, view.column_step}, row_count_,
                     depth_, panels);
  }

  void pack_right(T* panels) {
    const int64_t unit = tiles_.columns;
    const int64_t read = reads_rows_ ? column_count_ / unit * unit : 0;  // as they are
    const int64_t column = first_column_ + read;
    const int64_t count = column_count_ - read;
    if (count == 0) return;
    if (b_.pack) return b_.pack(first_k_, depth_, column, count, panels);
    const auto& view = b_.view;
    tiles_.pack_right({view.at(first_k_, column), view.row_step, view.column_step}, depth_, count,
                      panels);
  }

  // The rows of `panel` of the columns at hand, and how far apart they are.
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

  // Panel by panel, with as many rows at a time as the second cache holds.
  void multiply() {
    const int64_t rows = even_block(row_count_, block_rows, tiles_.rows);
    for (int64_t row = 0; row < row_count_; row += rows) {
      multiply_rows(row, std::min(row_count_, row + rows));
    }
  }

  void multiply_rows(int64_t row_begin, int64_t row_end) {
    Finish<T> finish = finish_;
    finish.accumulate = finish.accumulate || first_k_ != 0;
    for (int64_t column = 0; column < column_count_; column += tiles_.columns) {
      const int64_t n = std::min(tiles_.columns, column_count_ - column);
      int64_t b_step;
      const T* b = right_panel(column / tiles_.columns, b_step);
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
  const Block block_;
  const int64_t k_;
  const GemmOperand<T>& a_;
  const GemmOperand<T>& b_;
  const MatrixView<T> c_;
  const Finish<T> finish_;
  bool reads_rows_ =
      false;  // of b, where they are, since packing them would cost as much as using them

  // The part at hand.
  int64_t first_column_ = 0, column_count_ = 0;
  int64_t first_row_ = 0, row_count_ = 0;
  int64_t first_k_ = 0, depth_ = 0;
  const T* left_ = nullptr;
  const T* right_ = nullptr;
};

// How a result is cut into blocks, each a piece of work. It follows from the shape alone, so that
// no element depends on the number of threads.
class Blocks {
 public:
  Blocks(int64_t m, int64_t n, int64_t rows, int64_t columns)
      : m_(m), n_(n), rows_(rows), columns_(columns), row_blocks_(divide_up(m, rows)) {}

  int64_t count() const { return row_blocks_ * divide_up(n_, columns_); }
  int64_t work(int64_t k) const { return rows_ * columns_ * k; }

  // Neighbours share their columns.
  Block at(int64_t index) const {
    const int64_t row = index % row_blocks_ * rows_;
    const int64_t column = index / row_blocks_ * columns_;
    return {row, std::min(rows_, m_ - row), column, std::min(columns_, n_ - column)};
  }

 private:
  int64_t m_, n_, rows_, columns_, row_blocks_;
};

// Enough columns a block to be worth packing its rows for it, and as many blocks as a large team
// can use.
Blocks cut_blocks(int64_t m, int64_t n, int64_t k, int64_t rows, int64_t unit) {
  const int64_t wanted = std::clamp<int64_t>(m * n * k / block_work, 1, most_blocks);
  const int64_t column_blocks = divide_up(wanted, divide_up(m, rows));
  return {m, n, rows, divide_up(divide_up(n, column_blocks), unit) * unit};
}

template <typename T>
Blocks tiled_blocks(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& b) {
  // What packs may have much to do for each column, so that its rows stay together.
  const int64_t limit = b.pack ? most_rows : block_rows;
  return cut_blocks(m, n, k, even_block(m, limit, tiles<T>().rows), 8 * tiles<T>().columns);
}

template <typename Body>
void for_blocks(const Blocks& blocks, int64_t k, Body&& body) {
  parallel_for(blocks.count(), std::max<int64_t>(1, block_work / blocks.work(k)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) body(blocks.at(i));
               });
}

// A row by a matrix in memory. False if a step does not fit.
template <typename T>
bool multiply_row(int64_t n, int64_t k, MatrixView<const T> a, MatrixView<const T> b,
                  MatrixView<T> c, Finish<T> finish) {
  const bool by_rows = b.column_step == 1 && !(n == 1 && b.row_step == 1);
  if ((!by_rows && b.row_step != 1) || (c.column_step != 1 && n != 1)) return false;
  Scratch<T> copy(a.column_step == 1 ? 0 : k);
  const T* row = a.data;
  if (a.column_step != 1) {
    for (int64_t i = 0; i < k; ++i) copy[i] = a.data[i * a.column_step];
    row = copy.data();
  }
  const Tiles<T>& kernels = tiles<T>();
  const int64_t depth = !loses_digits<T> ? k : by_rows ? chained_sums : spread_sums;
  constexpr int64_t unit = 64;
  constexpr int64_t most = 4096;  // columns whose sums stay in the first cache
  const int64_t pieces = divide_up(n, unit);
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 18) / (unit * k));
  parallel_for(pieces, grain, [&](int64_t begin, int64_t end) {
    const int64_t last = std::min(n, end * unit);
    for (int64_t first = begin * unit; first < last; first += most) {
      const int64_t count = std::min(most, last - first);
      T* to = c.data + first;
      const LongSums<T> sums({to, count, 1}, 1, count, k > depth);
      for (int64_t at = 0; at < k; at += depth) {
        if (at != 0) sums.join();
        const Finish<T> here{finish.alpha, finish.accumulate || at != 0};
        const int64_t terms = std::min(depth, k - at);
        if (by_rows) {
          kernels.row_by_rows(count, terms, row + at, b.at(at, first), b.row_step, to, here);
        } else {
          kernels.row_by_columns(count, terms, row + at, b.at(at, first), b.column_step, to, here);
        }
      }
      sums.finish();
    }
  });
  return true;
}

#ifdef SWITCHYARD_CPU_ONEDNN

// ---- products of floats by oneDNN

constexpr int64_t vector_columns = 48;  // the narrowest that its code for AVX-512 is made for
constexpr int64_t widest_strip = 4 * vector_columns;
constexpr int64_t dense_rows = 128;
constexpr int64_t least_dense_work = int64_t{1} << 16;  // less is faster by our own tiles

// About 32 strips, so that a large team finds work where rows are few.
int64_t strip_columns(int64_t n) {
  const int64_t vectors = divide_up(divide_up(n, 32), vector_columns);
  const int64_t whole = std::min(vectors * vector_columns, widest_strip);
  return std::min(whole, divide_up(n, 16) * 16);
}

using Dense = onednn::DenseMatrix<const float>;

// Nothing if neither rows nor columns are without gaps, or they overlap.
std::optional<Dense> dense_view(const MatrixView<const float>& view, int64_t rows,
                                int64_t columns) {
  if (view.column_step == 1 && (rows == 1 || view.row_step >= columns)) {
    return Dense{view.data, std::max(view.row_step, columns), false};
  }
  if (view.row_step == 1 && (columns == 1 || view.column_step >= rows)) {
    return Dense{view.data, std::max(view.column_step, rows), true};
  }
  return std::nullopt;
}

const float* element(const Dense& matrix, int64_t row, int64_t column) {
  return matrix.data + (matrix.turned ? column * matrix.step + row : row * matrix.step + column);
}

bool has_dense_rows(const MatrixView<float>& c, int64_t m, int64_t n) {
  return c.column_step == 1 && (m == 1 || c.row_step >= n);
}

// A product with a right matrix in memory or in strips; false if it is none of these.
class DenseProduct {
 public:
  DenseProduct(int64_t m, int64_t n, int64_t k, const GemmOperand<float>& b) : m_(m), n_(n), k_(k) {
    if (b.strips != nullptr) {
      strips_ = b.strips;
      strip_columns_ = b.strip_columns;
    } else if (is_view(b) && onednn::multiplies_floats() && m * n * k >= least_dense_work) {
      right_ = dense_view(b.view, k, n);
    }
  }

  bool fits() const { return strips_ != nullptr || right_; }

  void run(const Dense& a, MatrixView<float> c, Finish<float> finish) const {
    const int64_t rows = even_block(m_, dense_rows, 8);
    const Blocks blocks = strips_ != nullptr ? Blocks(m_, n_, rows, strip_columns_)
                                             : cut_blocks(m_, n_, k_, rows, 2 * vector_columns);
    const HeldSignals held;  // once, not for each block
    for_blocks(blocks, k_, [&](const Block& block) {
      const MatrixView<float> to{c.at(block.row, block.column), std::max(c.row_step, n_), 1};
      const LongSums<float> sums(to, block.rows, block.columns, k_ > spread_sums);
      for (int64_t at = 0; at < k_; at += spread_sums) {
        if (at != 0) sums.join();
        onednn::multiply_floats(block.rows, block.columns, std::min(spread_sums, k_ - at),
                                finish.alpha, {element(a, block.row, at), a.step, a.turned},
                                right(at, block.column), {to.data, to.row_step},
                                finish.accumulate || at != 0);
      }
      sums.finish();
    });
  }

 private:
  Dense right(int64_t row, int64_t column) const {
    if (strips_ != nullptr) {
      return {strips_ + column * k_ + row * strip_columns_, strip_columns_};
    }
    return {element(*right_, row, column), right_->step, right_->turned};
  }

  int64_t m_, n_, k_;
  const float* strips_ = nullptr;
  int64_t strip_columns_ = 0;
  std::optional<Dense> right_;
};

// Any matrix as one without gaps.
class DenseCopy {
 public:
  DenseCopy(const MatrixView<const float>& view, int64_t rows, int64_t columns)
      : dense_(dense_view(view, rows, columns)), copy_(dense_ ? 0 : rows * columns) {
    if (dense_) return;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) copy_[i * columns + j] = *view.at(i, j);
    }
    dense_ = Dense{copy_.data(), columns};
  }

  const Dense& get() const { return *dense_; }

 private:
  std::optional<Dense> dense_;
  Scratch<float> copy_;
};

bool multiply_dense(int64_t m, int64_t n, int64_t k, const GemmOperand<float>& a,
                    const GemmOperand<float>& b, MatrixView<float> c, Finish<float> finish) {
  if (!is_view(a)) return false;
  const DenseProduct product(m, n, k, b);
  if (!product.fits()) return false;
  const DenseCopy left(a.view, m, k);
  if (has_dense_rows(c, m, n)) {
    product.run(left.get(), c, finish);
    return true;
  }
  const Scratch<float> sums(m * n);
  product.run(left.get(), {sums.data(), n, 1}, {finish.alpha, false});
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      float& to = *c.at(i, j);
      to = finish.accumulate ? to + sums[i * n + j] : sums[i * n + j];
    }
  }
  return true;
}

#else

bool multiply_dense(int64_t, int64_t, int64_t, const GemmOperand<float>&, const GemmOperand<float>&,
                    MatrixView<float>, Finish<float>) {
  return false;
}

#endif

template <typename T>
void multiply_matrices(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a,
                       const GemmOperand<T>& b, MatrixView<T> c, Finish<T> finish) {
  if constexpr (std::is_same_v<T, float>) {
    if (multiply_dense(m, n, k, a, b, c, finish)) return;
  }
  for_blocks(tiled_blocks(m, n, k, b), k,
             [&](const Block& block) { TiledBlock<T>(block, k, a, b, c, finish).run(); });
}

}  // namespace

int64_t strip_columns_of([[maybe_unused]] int64_t n) {
#ifdef SWITCHYARD_CPU_ONEDNN
  if (onednn::multiplies_floats()) return strip_columns(n);
#endif
  return 0;
}

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
      return multiply_matrices<T>(n, m, k, left, right, turned(c), finish);
    }
  }
  multiply_matrices<T>(m, n, k, a, b, c, finish);
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
