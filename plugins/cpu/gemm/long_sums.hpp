// Sums of floats over lengths that a caller chooses: parts short enough that a float loses next to
// nothing, joined in double.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "gemm/tiles.hpp"
#include "machine/scratch.hpp"

namespace cpu {

// Additions that one float accumulator may take one after another.
inline constexpr int64_t chained_sums = 512;
// The same where a sum is spread over the lanes of vectors, or over blocks of a product's depth.
inline constexpr int64_t spread_sums = 8192;
// Longer sums, which another library would chain in its own way, are left to our own kernels.
inline constexpr int64_t most_foreign_sums = 32768;

template <typename T>
inline constexpr bool loses_digits = std::is_same_v<T, float>;

// Sums in progress in rows x columns of `c`. `join` moves them to doubles beside it and leaves
// zeros; `finish` writes all that was joined. Sums that are not long stay in `c`, at no cost.
template <typename T>
class LongSums {
 public:
  LongSums(MatrixView<T> c, int64_t rows, int64_t columns, bool is_long)
      : c_(c),
        rows_(rows),
        columns_(columns),
        is_long_(is_long && loses_digits<T>),
        sums_(is_long_ ? rows * columns : 0) {
    std::fill_n(sums_.data(), is_long_ ? rows * columns : 0, 0.0);
  }

  void join() const {
    if (!is_long_) return;
    for_each([](T& part, double& sum) {
      sum += static_cast<double>(part);
      part = 0;
    });
  }

  void finish() const {
    if (!is_long_) return;
    for_each([](T& part, double& sum) { part = static_cast<T>(sum + static_cast<double>(part)); });
  }

 private:
  template <typename Body>
  void for_each(Body&& body) const {
    for (int64_t i = 0; i < rows_; ++i) {
      double* sums = sums_.data() + i * columns_;
      T* row = c_.at(i, 0);
      for (int64_t j = 0; j < columns_; ++j) body(row[j * c_.column_step], sums[j]);
    }
  }

  MatrixView<T> c_;
  int64_t rows_, columns_;
  bool is_long_;
  Scratch<double> sums_;
};

}  // namespace cpu
