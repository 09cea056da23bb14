// Joining numbers: what each kind of reduction does with a row of them, and with rows side by side.
#pragma once

#include <cstdint>

namespace cpu {

enum class ReduceKind { sum, sum_of_magnitudes, sum_of_squares, product, max, min };

// Numbers of type W joined in an accumulator: double for float and double, else W itself.
template <typename W>
struct Accumulated {
  using Type = W;
};
template <>
struct Accumulated<float> {
  using Type = double;
};
template <typename W>
using Accumulator = typename Accumulated<W>::Type;

template <typename W>
struct ReduceFunctions {
  // The value of a contiguous row, `count` of at least 0. Float sums are made in short blocks, and
  // these joined in double.
  Accumulator<W> (*row)(const W* x, int64_t count);
  // Joins `rows` rows, `step` elements apart, into the `width` values of `joined`, column by
  // column. At most `column_rows` rows at once, for the sake of exactness.
  void (*columns)(const W* x, int64_t step, int64_t rows, int64_t width, W* joined);
  Accumulator<W> (*join)(Accumulator<W> x, Accumulator<W> y);
  Accumulator<W> nothing;  // the value of no numbers at all
};

inline constexpr int64_t column_rows = 64;

// For W = float, double, int64_t and uint64_t.
template <typename W>
ReduceFunctions<W> reduce_functions(ReduceKind kind);

// The vector forms of float, for kinds but the product.
struct VectorReduce {
  double (*row)(const float* x, int64_t count);
  void (*columns)(const float* x, int64_t step, int64_t rows, int64_t width, float* joined);
};
VectorReduce vector_reduce(ReduceKind kind);

}  // namespace cpu
