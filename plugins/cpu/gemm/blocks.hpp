// How the result of a product is cut into blocks, each a piece of work for one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "machine/parallel.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {

// A part of the result.
struct Block {
  int64_t row, rows, column, columns;
};

// Pieces of equal size, a multiple of `unit`, none above `limit`.
inline int64_t even_block(int64_t size, int64_t limit, int64_t unit) {
  const int64_t pieces = sy::ceil_div(size, limit);
  return sy::ceil_div(sy::ceil_div(size, pieces), unit) * unit;
}

// All blocks of a result. They follow from the shape alone, so that no element depends on the
// number of threads.
class Blocks {
 public:
  Blocks(int64_t m, int64_t n, int64_t rows, int64_t columns)
      : m_(m), n_(n), rows_(rows), columns_(columns), row_blocks_(sy::ceil_div(m, rows)) {}

  int64_t count() const { return row_blocks_ * sy::ceil_div(n_, columns_); }
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

// Products of as many terms take a thread 10 to 20 microseconds.
inline constexpr int64_t block_work = int64_t{1} << 20;

// Enough columns a block to be worth packing its rows for it, and as many blocks as a large team
// can use.
inline Blocks cut_blocks(int64_t m, int64_t n, int64_t k, int64_t rows, int64_t unit) {
  constexpr int64_t most_blocks = 64;
  const int64_t wanted = std::clamp<int64_t>(m * n * k / block_work, 1, most_blocks);
  const int64_t column_blocks = sy::ceil_div(wanted, sy::ceil_div(m, rows));
  return {m, n, rows, sy::ceil_div(sy::ceil_div(n, column_blocks), unit) * unit};
}

// Calls `body(block)` for each on the team, or on the calling thread where the product is small.
template <typename Body>
void for_blocks(const Blocks& blocks, int64_t k, Body&& body) {
  parallel_for(blocks.count(), std::max<int64_t>(1, block_work / blocks.work(k)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) body(blocks.at(i));
               });
}

}  // namespace cpu
