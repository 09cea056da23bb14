// What is done to rows of floats side by side, a channel a column. Rows lie one after the other.
#pragma once

#include <cstdint>

namespace cpu {

// ChannelSums of each column.
template <typename W>
struct ColumnSums {
  W *plain, *squared, *gradient, *along;
};

// ChannelFactors of each column.
template <typename W>
struct ColumnFactors {
  const W *centre, *factor, *shift, *scale, *mean, *along;
};

// `rows` rows of `columns` elements.
template <typename W>
struct ColumnBlock {
  const W *gradient, *x;
  int64_t rows, columns;
};

struct VectorColumns {
  // Writes the sums. At most `column_rows` rows at once, for the sake of exactness.
  void (*channel_sums)(const ColumnBlock<float>& block, const float* centre,
                       const ColumnSums<float>& to);
  // factor * (gradient * scale - mean - standardized x * along). `to` may be what is read.
  void (*channel_gradient)(const ColumnBlock<float>& block, const ColumnFactors<float>& factors,
                           float* to);
};

const VectorColumns& vector_columns();

}  // namespace cpu
