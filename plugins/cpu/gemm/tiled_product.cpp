// A block is made of parts, as large as the caches hold: runs of columns outermost, then of terms,
// then of rows. So each part of the right matrix is packed once, and an element gets its terms in
// their order: the first run of terms writes it, unless the product is added to what is there, and
// each later one adds. Left panels of the rows at hand and right panels of the columns at hand are
// scratch memory of the thread that computes the block; the next part overwrites them.
#include "gemm/tiled_product.hpp"

#include <algorithm>

#include "gemm/blocks.hpp"
#include "gemm/long_sums.hpp"
#include "machine/scratch.hpp"

namespace cpu {
namespace {

constexpr int64_t block_k = 256;     // a right panel of it stays in the first cache
constexpr int64_t block_rows = 192;  // left panels of these rows stay in the second
constexpr int64_t block_columns = 1024;
constexpr int64_t most_rows = 4096;  // whose panels are made at once

// One block of a product, by our own tiles.
template <typename T>
class TiledBlock {
 public:
  TiledBlock(const Block& block, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b,
             MatrixView<T> c, Epilogue<T> epilogue)
      : block_(block), k_(k), a_(a), b_(b), c_(c), epilogue_(epilogue) {}

  void run() {
    const int64_t columns = even_block(block_.columns, block_columns, tiles_.columns);
    const int64_t depth = even_block(k_, block_k, 1);
    const int64_t rows = std::min(block_.rows, most_rows);
    const bool packs_right = b_.panels == nullptr;
    const bool packs_left = a_.panels == nullptr;
    reads_rows_ = b_.is_view() && b_.view.column_step == 1 && block_.rows <= 2 * tiles_.rows;
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
    Epilogue<T> epilogue = epilogue_;
    epilogue.accumulate = epilogue.accumulate || first_k_ != 0;
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
          tiles_.multiply(m, n, depth_, a, group_step, b, b_step, c, c_.row_step, epilogue);
        } else {
          multiply_spread(m, n, a, group_step, b, b_step, c, epilogue);
        }
      }
    }
  }

  // A tile whose columns are not neighbours.
  void multiply_spread(int64_t m, int64_t n, const T* a, int64_t group_step, const T* b,
                       int64_t b_step, T* c, Epilogue<T> epilogue) const {
    alignas(64) T tile[Tiles<T>::most_elements];
    const Epilogue<T> plain{epilogue.alpha, false};
    tiles_.multiply(m, n, depth_, a, group_step, b, b_step, tile, tiles_.columns, plain);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        T& to = c[i * c_.row_step + j * c_.column_step];
        const T sum = tile[i * tiles_.columns + j];
        to = epilogue.accumulate ? static_cast<T>(to + sum) : sum;
      }
    }
  }

  const Tiles<T>& tiles_ = tiles<T>();
  const Block block_;
  const int64_t k_;
  const GemmOperand<T>& a_;
  const GemmOperand<T>& b_;
  const MatrixView<T> c_;
  const Epilogue<T> epilogue_;
  // Of b, where they are, since packing them would cost as much as using them.
  bool reads_rows_ = false;

  // The part at hand.
  int64_t first_column_ = 0, column_count_ = 0;
  int64_t first_row_ = 0, row_count_ = 0;
  int64_t first_k_ = 0, depth_ = 0;
  const T* left_ = nullptr;
  const T* right_ = nullptr;
};

template <typename T>
Blocks tiled_blocks(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& b) {
  // What packs may have much to do for each column, so that its rows stay together.
  const int64_t limit = b.pack ? most_rows : block_rows;
  return cut_blocks(m, n, k, even_block(m, limit, tiles<T>().rows), 8 * tiles<T>().columns);
}

}  // namespace

template <typename T>
void multiply_tiled(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a,
                    const GemmOperand<T>& b, MatrixView<T> c, Epilogue<T> epilogue) {
  for_blocks(tiled_blocks(m, n, k, b), k,
             [&](const Block& block) { TiledBlock<T>(block, k, a, b, c, epilogue).run(); });
}

template void multiply_tiled(int64_t, int64_t, int64_t, const GemmOperand<float>&,
                             const GemmOperand<float>&, MatrixView<float>, Epilogue<float>);
template void multiply_tiled(int64_t, int64_t, int64_t, const GemmOperand<double>&,
                             const GemmOperand<double>&, MatrixView<double>, Epilogue<double>);
template void multiply_tiled(int64_t, int64_t, int64_t, const GemmOperand<int32_t>&,
                             const GemmOperand<int32_t>&, MatrixView<int32_t>, Epilogue<int32_t>);
template void multiply_tiled(int64_t, int64_t, int64_t, const GemmOperand<uint64_t>&,
                             const GemmOperand<uint64_t>&, MatrixView<uint64_t>,
                             Epilogue<uint64_t>);

}  // namespace cpu
