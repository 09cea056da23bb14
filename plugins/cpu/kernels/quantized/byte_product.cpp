#include "kernels/quantized/byte_product.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "machine/parallel.hpp"
#include "machine/scratch.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {

ColumnTerms::ColumnTerms(const ByteResult& result, int64_t row, const int32_t* column_sums,
                         int64_t columns)
    : result_(result),
      terms_(static_cast<size_t>(columns)),
      factors_(result.column_factors == nullptr ? 0 : static_cast<size_t>(columns)) {
  const auto zero = static_cast<uint32_t>(result.left_zeros[row]);
  for (int64_t j = 0; j < columns; ++j) {
    const auto bias = static_cast<uint32_t>(result.bias == nullptr ? 0 : result.bias[j]);
    const uint32_t term = bias - zero * static_cast<uint32_t>(column_sums[j]);
    terms_[static_cast<size_t>(j)] = static_cast<int32_t>(term);
    if (result.column_factors == nullptr) continue;
    factors_[static_cast<size_t>(j)] = result.row_factors[row] * result.column_factors[j];
  }
  factors_are_finite_ = std::all_of(factors_.begin(), factors_.end(),
                                    [](float factor) { return std::isfinite(factor); });
}

void ColumnTerms::write(const int32_t* sums, int64_t row, int64_t rows, int64_t column,
                        int64_t columns) const {
  const float* factors = factors_.empty() ? nullptr : factors_.data() + column;
  const SumRows from{sums, rows, columns, terms_.data() + column, factors, factors_are_finite_};
  const int64_t at = row * result_.row_step + column;
  if (result_.column_factors == nullptr) {
    write_sums(from, reinterpret_cast<int32_t*>(result_.data) + at, result_.row_step);
  } else if (result_.is_signed) {
    write_bytes(from, result_.zero_point, reinterpret_cast<int8_t*>(result_.data) + at,
                result_.row_step);
  } else {
    write_bytes(from, result_.zero_point, reinterpret_cast<uint8_t*>(result_.data) + at,
                result_.row_step);
  }
}

namespace {

using sy::ceil_div;

// How long a product takes one thread, for orders of magnitude: beside the multiplications it reads
// the packed columns, and turns every sum into a byte.
int64_t nanoseconds(const ByteMatrix& right, int64_t rows, int64_t columns) {
  constexpr int64_t call = 1000, results_per_nanosecond = 3, bytes_per_nanosecond = 4;
  const int64_t depth = right.rows();
  return call + rows * columns / results_per_nanosecond + columns * depth / bytes_per_nanosecond +
         rows * columns * depth / right.multiply_adds_per_nanosecond();
}

// How a result is cut into pieces of work, each with a part of the matrix that the second cache
// holds: for a team, as many as are worth a call of oneDNN. Sums of integers are the same however
// they are cut.
struct Cut {
  Cut(const ByteMatrix& right, int64_t m) {
    constexpr int64_t unit = ByteMatrix::unit, least_rows = 64, most_rows = 512;
    constexpr int64_t held = int64_t{1} << 18, block_work = int64_t{1} << 21;
    constexpr int64_t worth_a_call = 8000, most_blocks = 64;
    const int64_t n = right.columns(), k = right.rows();
    const int64_t wanted =
        thread_count() == 1
            ? 1
            : std::clamp<int64_t>(nanoseconds(right, m, n) / worth_a_call, 1, most_blocks);
    const int64_t strips =
        std::max(ceil_div(wanted, ceil_div(m, least_rows)), ceil_div(n * k, held));
    columns = ceil_div(ceil_div(n, strips), unit) * unit;
    column_strips = ceil_div(n, columns);
    const int64_t fitting = block_work / (std::min(columns, n) * k);
    const int64_t shared = ceil_div(m * column_strips, wanted);
    const int64_t limit =
        std::clamp(std::min(fitting, shared) / least_rows * least_rows, least_rows, most_rows);
    rows = std::min(m, ceil_div(ceil_div(m, ceil_div(m, limit)), 16) * 16);
    row_blocks = ceil_div(m, rows);
  }

  int64_t rows, columns, row_blocks, column_strips;
};

class ByteProduct {
 public:
  ByteProduct(const ByteRows& left, const ByteMatrix& right, const ByteResult& result)
      : left_(left), right_(right), result_(result), cut_(right, left.count) {
    if (result.left_zeros.step != 0 || result.row_factors.step != 0) return;
    terms_.emplace(result, 0, right.column_sums(), right.columns());
  }

  void run() {
    const bool writes_whole = left_.data == nullptr && cut_.column_strips > 1;
    const Scratch<uint8_t> whole(writes_whole ? left_.count * left_.step : 0);
    if (writes_whole) write_whole(whole.data());
    constexpr int64_t worth_a_thread = 16'000;  // nanoseconds
    const int64_t work = nanoseconds(right_, cut_.rows, std::min(cut_.columns, right_.columns()));
    parallel_for(cut_.row_blocks * cut_.column_strips, std::max<int64_t>(1, worth_a_thread / work),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) run_block(i);
                 });
  }

 private:
  void write_whole(uint8_t* to) {
    constexpr int64_t worth_a_thread = 65536;  // bytes
    parallel_for(left_.count, std::max<int64_t>(1, worth_a_thread / left_.step),
                 [&](int64_t begin, int64_t end) {
                   left_.write(begin, end - begin, to + begin * left_.step);
                 });
    left_.data = to;
  }

  // Neighbours share their columns.
  void run_block(int64_t index) const {
    const int64_t row = index % cut_.row_blocks * cut_.rows;
    const int64_t column = index / cut_.row_blocks * cut_.columns;
    const int64_t rows = std::min(cut_.rows, left_.count - row);
    const int64_t columns = std::min(cut_.columns, right_.columns() - column);
    const Scratch<int32_t> sums(rows * columns);
    const Scratch<uint8_t> written(left_.data == nullptr ? rows * left_.step : 0);
    const uint8_t* from = written.data();
    if (left_.data == nullptr) {
      left_.write(row, rows, written.data());
    } else {
      from = left_.data + row * left_.step;
    }
    right_.multiply(rows, from, left_.step, column, columns, sums.data());
    if (result_.right_zeros != nullptr)
      take_zeros_off(from, row, rows, column, columns, sums.data());
    write(sums.data(), row, rows, column, columns);
  }

  void take_zeros_off(const uint8_t* from, int64_t row, int64_t rows, int64_t column,
                      int64_t columns, int32_t* sums) const {
    for (int64_t i = 0; i < rows; ++i) {
      const auto zeros =
          static_cast<uint32_t>(result_.left_zeros[row + i]) * static_cast<uint32_t>(right_.rows());
      const auto sum = static_cast<uint32_t>(sum_row(from + i * left_.step, right_.rows()));
      take_off_row(sums + i * columns, columns, static_cast<int32_t>(sum - zeros),
                   result_.right_zeros + column);
    }
  }

  void write(const int32_t* sums, int64_t row, int64_t rows, int64_t column,
             int64_t columns) const {
    if (terms_) return terms_->write(sums, row, rows, column, columns);
    for (int64_t i = 0; i < rows; ++i) {
      const ColumnTerms own(result_, row + i, right_.column_sums(), right_.columns());
      own.write(sums + i * columns, row + i, 1, column, columns);
    }
  }

  ByteRows left_;
  const ByteMatrix& right_;
  const ByteResult& result_;
  Cut cut_;
  std::optional<ColumnTerms> terms_;  // of all rows
};

}  // namespace

void multiply_bytes(const ByteRows& left, const ByteMatrix& right, const ByteResult& result) {
  if (left.count > 0) ByteProduct(left, right, result).run();
}

}  // namespace cpu
