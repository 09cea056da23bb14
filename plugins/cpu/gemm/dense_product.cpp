#include "gemm/dense_product.hpp"

#ifdef SWITCHYARD_CPU_ONEDNN

#include <algorithm>
#include <optional>

#include "gemm/blocks.hpp"
#include "gemm/long_sums.hpp"
#include "machine/held_signals.hpp"
#include "machine/scratch.hpp"
#include "onednn/float_product.hpp"

namespace cpu {
namespace {

using sy::ceil_div;

constexpr int64_t vector_columns = 48;  // the narrowest that its code for AVX-512 is made for
constexpr int64_t widest_strip = 4 * vector_columns;
constexpr int64_t dense_rows = 128;
constexpr int64_t least_dense_work = int64_t{1} << 16;  // less is faster by our own tiles

// About 32 strips, so that a large team finds work where rows are few.
int64_t strip_columns(int64_t n) {
  const int64_t vectors = ceil_div(ceil_div(n, 32), vector_columns);
  const int64_t whole = std::min(vectors * vector_columns, widest_strip);
  return std::min(whole, ceil_div(n, 16) * 16);
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
    } else if (b.is_view() && onednn::multiplies_floats() && m * n * k >= least_dense_work) {
      right_ = dense_view(b.view, k, n);
    }
  }

  bool fits() const { return strips_ != nullptr || right_; }

  void run(const Dense& a, MatrixView<float> c, Epilogue<float> epilogue) const {
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
                                epilogue.alpha, {element(a, block.row, at), a.step, a.turned},
                                right(at, block.column), {to.data, to.row_step},
                                epilogue.accumulate || at != 0);
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

}  // namespace

bool multiply_dense(int64_t m, int64_t n, int64_t k, const GemmOperand<float>& a,
                    const GemmOperand<float>& b, MatrixView<float> c, Epilogue<float> epilogue) {
  if (!a.is_view()) return false;
  const DenseProduct product(m, n, k, b);
  if (!product.fits()) return false;
  const DenseCopy left(a.view, m, k);
  if (has_dense_rows(c, m, n)) {
    product.run(left.get(), c, epilogue);
    return true;
  }
  const Scratch<float> sums(m * n);
  product.run(left.get(), {sums.data(), n, 1}, {epilogue.alpha, false});
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      float& to = *c.at(i, j);
      to = epilogue.accumulate ? to + sums[i * n + j] : sums[i * n + j];
    }
  }
  return true;
}

int64_t strip_columns_of(int64_t n) { return onednn::multiplies_floats() ? strip_columns(n) : 0; }

}  // namespace cpu

#else

namespace cpu {

bool multiply_dense(int64_t, int64_t, int64_t, const GemmOperand<float>&, const GemmOperand<float>&,
                    MatrixView<float>, Epilogue<float>) {
  return false;
}

int64_t strip_columns_of(int64_t) { return 0; }

}  // namespace cpu

#endif
