#include "kernels/quantized/byte_matrix.hpp"

#include <algorithm>

#include "gemm/tiles.hpp"
#include "kernels/quantized/byte_rows.hpp"
#include "machine/scratch.hpp"

#ifdef SWITCHYARD_CPU_ONEDNN
#include "kernels/onednn/byte_matrix.hpp"
#endif

namespace cpu {

std::vector<int8_t> ByteMatrix::read(const ByteView& view) {
  const auto* from = static_cast<const uint8_t*>(view.data);
  const uint8_t flip = view.is_signed ? 0 : 0x80;
  std::vector<int8_t> made(static_cast<size_t>(rows_ * columns_));
  column_sums_.assign(static_cast<size_t>(columns_), 0);
  int8_t* to = made.data();
  for (int64_t i = 0; i < rows_; ++i, to += columns_) {
    const uint8_t* row = from + i * view.row_step;
    for (int64_t j = 0; j < columns_; ++j) {
      to[j] = static_cast<int8_t>(row[j * view.column_step] ^ flip);
      column_sums_[static_cast<size_t>(j)] += to[j];
    }
  }
  return made;
}

namespace {

// An odd last element has a partner of 0.
int32_t pair_of(int32_t first, int32_t second) {
  return static_cast<int32_t>(static_cast<uint32_t>(second) << 16 |
                              (static_cast<uint32_t>(first) & 0xffff));
}

class PairMatrix : public ByteMatrix {
 public:
  PairMatrix(const ByteView& view, int64_t rows, int64_t columns)
      : ByteMatrix(rows, columns), depth_((rows + 1) / 2) {
    const std::vector<int8_t> elements = read(view);
    std::vector<int32_t> pairs(static_cast<size_t>(depth_ * columns));
    for (int64_t i = 0; i < depth_; ++i) {
      const int8_t* first = elements.data() + 2 * i * columns;
      const bool has_second = 2 * i + 1 < rows;
      for (int64_t j = 0; j < columns; ++j) {
        pairs[static_cast<size_t>(i * columns + j)] =
            pair_of(first[j], has_second ? first[columns + j] : 0);
      }
    }
    panels_.resize(static_cast<size_t>(tiles_.right_size(depth_, columns)));
    tiles_.pack_right({pairs.data(), columns, 1}, depth_, columns, panels_.data());
  }

  uint64_t bytes() const override { return panels_.size() * sizeof(int32_t); }
  int64_t multiply_adds_per_nanosecond() const override { return 64; }

  void multiply(int64_t count, const uint8_t* left, int64_t step, int64_t column, int64_t columns,
                int32_t* sums) const override {
    const Scratch<int32_t> pairs(count * depth_), packed(tiles_.left_size(count, depth_));
    for (int64_t i = 0; i < count; ++i) {
      pair_row(left + i * step, rows(), pairs.data() + i * depth_);
    }
    tiles_.pack_left({pairs.data(), depth_, 1}, count, depth_, packed.data());
    const int64_t width = tiles_.columns;
    for (int64_t k = 0; k < depth_; k += most_depth) {
      for (int64_t j = 0; j < columns; j += width) {
        const int32_t* panel = panels_.data() + (column + j) * depth_ + k * width;
        multiply_panel(count, std::min(width, columns - j), k, packed.data(), panel, columns,
                       sums + j);
      }
    }
  }

 private:
  static constexpr int64_t most_depth = 256;  // of a panel in the first cache

  void multiply_panel(int64_t count, int64_t width, int64_t k, const int32_t* left,
                      const int32_t* panel, int64_t step, int32_t* sums) const {
    constexpr int64_t group = Tiles<int32_t>::group;
    const int64_t depth = std::min(most_depth, depth_ - k);
    for (int64_t row = 0; row < count; row += tiles_.rows) {
      tiles_.multiply(std::min(tiles_.rows, count - row), width, depth,
                      left + row * depth_ + k * group, group * depth_, panel, tiles_.columns,
                      sums + row * step, step, {1, k != 0});
    }
  }

  const Tiles<int32_t>& tiles_ = pair_tiles();
  int64_t depth_;  // in pairs
  std::vector<int32_t> panels_;
};

}  // namespace

std::shared_ptr<const ByteMatrix> pack_byte_pairs(const ByteView& view, int64_t rows,
                                                  int64_t columns) {
  return std::make_shared<const PairMatrix>(view, rows, columns);
}

int64_t padded_rows(int64_t rows) {
#ifdef SWITCHYARD_CPU_ONEDNN
  if (onednn::multiplies_bytes()) return (rows + 63) / 64 * 64;
#endif
  return rows;
}

std::shared_ptr<const ByteMatrix> pack_bytes(const ByteView& view, int64_t rows, int64_t columns) {
#ifdef SWITCHYARD_CPU_ONEDNN
  if (onednn::multiplies_bytes()) return onednn::pack_bytes(view, rows, columns);
#endif
  return pack_byte_pairs(view, rows, columns);
}

}  // namespace cpu
