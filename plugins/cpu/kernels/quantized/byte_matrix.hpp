// Right matrices of bytes, packed for exact products with rows of bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace cpu {

// A matrix in memory, of int8_t or uint8_t; steps count elements and may be anything.
struct ByteView {
  const void* data = nullptr;
  bool is_signed = false;
  int64_t row_step = 0;
  int64_t column_step = 0;
};

// Rows on the left are uint8_t and the matrix is int8_t, whatever was given: 128 changes sides
// between a byte and its zero point (see unsigned_shift and signed_shift).
class ByteMatrix {
 public:
  // Strips of columns that are multiplied by themselves begin at multiples of it.
  static constexpr int64_t unit = 64;

  ByteMatrix(int64_t rows, int64_t columns) : rows_(rows), columns_(columns) {}
  virtual ~ByteMatrix() = default;

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  const int32_t* column_sums() const { return column_sums_.data(); }
  virtual uint64_t bytes() const = 0;
  virtual int64_t multiply_adds_per_nanosecond() const = 0;

  // sums[count, columns] = left * (columns [column, column + columns)), modulo 2^32. Rows of
  // `left` are `step` >= rows() apart, those of `sums` have no gaps. `column` is a multiple of
  // `unit`, and so is `columns`, unless it reaches the last one. For one thread.
  virtual void multiply(int64_t count, const uint8_t* left, int64_t step, int64_t column,
                        int64_t columns, int32_t* sums) const = 0;

 protected:
  // Contiguous, as int8_t; keeps the sums of its columns.
  std::vector<int8_t> read(const ByteView& view);

 private:
  int64_t rows_, columns_;
  std::vector<int32_t> column_sums_;
};

// What a byte gains when it becomes one of the matrix's (int8_t) or of a row's (uint8_t).
inline int32_t signed_shift(bool is_signed) { return is_signed ? 0 : -128; }
inline int32_t unsigned_shift(bool is_signed) { return is_signed ? 128 : 0; }

// Rows, `rows` or more, of a matrix with rows of zeros at its end that is multiplied faster so.
int64_t padded_rows(int64_t rows);

// The fastest exact one for this processor; rows and columns are at least 1.
std::shared_ptr<const ByteMatrix> pack_bytes(const ByteView& view, int64_t rows, int64_t columns);

// The one for every processor: products of pairs of int16_t.
std::shared_ptr<const ByteMatrix> pack_byte_pairs(const ByteView& view, int64_t rows,
                                                  int64_t columns);

}  // namespace cpu
