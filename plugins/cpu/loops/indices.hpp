// Index tensors: int32 or int64, contiguous, counting from either end. Every index is checked
// before it is used.
#pragma once

#include <cstdint>
#include <vector>

#include "run/tensor.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu {

class Indices {
 public:
  explicit Indices(const ConstTensor& tensor)
      : data_(tensor.data), wide_(tensor.dtype == SY_INT64), size_(tensor.size()) {}

  int64_t size() const { return size_; }
  int64_t raw(int64_t i) const {
    return wide_ ? static_cast<const int64_t*>(data_)[i] : static_cast<const int32_t*>(data_)[i];
  }
  // In [0, extent); `check` has passed.
  int64_t at(int64_t i, int64_t extent) const {
    const int64_t index = raw(i);
    return index < 0 ? index + extent : index;
  }
  void check(int64_t extent, const char* op) const {
    for (int64_t i = 0; i < size_; ++i) {
      const int64_t index = raw(i);
      if (index < -extent || index >= extent) {
        throw sy::invalid(op, ": index ", index, " is outside of an extent of ", extent);
      }
    }
  }

 private:
  const void* data_;
  bool wide_;
  int64_t size_;
};

// Tuples of indices along the last axis, as GatherND and ScatterND take them.
class IndexTuples {
 public:
  explicit IndexTuples(const ConstTensor& tensor)
      : indices_(tensor),
        length_(static_cast<size_t>(tensor.shape.back())),
        count_(sy::element_count(tensor.shape.first(tensor.rank() - 1))) {}

  size_t length() const { return length_; }
  int64_t count() const { return count_; }

  // Which block of `shape`, counted over its first `length` axes, tuple `i` names.
  int64_t offset(int64_t i, sy::Extents shape, const char* op) const {
    int64_t offset = 0;
    for (size_t d = 0; d < length_; ++d) {
      const int64_t given =
          indices_.raw(i * static_cast<int64_t>(length_) + static_cast<int64_t>(d));
      if (given < -shape[d] || given >= shape[d]) {
        throw sy::invalid(op, ": index ", given, " is outside of an extent of ", shape[d]);
      }
      offset = offset * shape[d] + (given < 0 ? given + shape[d] : given);
    }
    return offset;
  }

 private:
  Indices indices_;
  size_t length_;
  int64_t count_;
};

// Calls `visit(flat, position)` for each position of `shape` in row-major order.
template <typename Visit>
void for_each_position(sy::Extents shape, Visit&& visit) {
  std::vector<int64_t> position(shape.size(), 0);
  const int64_t count = sy::element_count(shape);
  for (int64_t flat = 0; flat < count; ++flat) {
    visit(flat, position);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++position[d] < shape[d]) break;
      position[d] = 0;
    }
  }
}

}  // namespace cpu
