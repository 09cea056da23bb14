// The value of a node: a contiguous tensor, borrowed or shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "seam/graph.hpp"
#include "software/interpreter/element.hpp"
#include "software/interpreter/shape.hpp"

namespace mps::software::interpreter {

class Value {
 public:
  Value() = default;
  // Owns memory of its own, not yet written.
  explicit Value(seam::TensorType type);
  // Reads memory that outlives it.
  Value(seam::TensorType type, const std::byte* borrowed);

  const seam::TensorType& type() const { return type_; }
  const Shape& shape() const { return type_.shape; }
  int64_t count() const { return count_; }
  size_t bytes() const { return static_cast<size_t>(count_) * element_bytes(type_.element); }
  const std::byte* data() const { return data_; }
  std::byte* storage() { return storage_.get(); }  // null where borrowed

  // The same memory as another type of as many bytes.
  Value as(seam::TensorType type) const;

 private:
  seam::TensorType type_;
  int64_t count_ = 0;
  std::shared_ptr<std::byte[]> storage_;
  const std::byte* data_ = nullptr;
};

// As std::memcpy, but allows null where there is nothing to copy.
inline void copy_bytes(std::byte* to, const std::byte* from, size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

template <typename Bits>
Bits load(const std::byte* data, int64_t index) {
  Bits bits;
  std::memcpy(&bits, data + index * static_cast<int64_t>(sizeof(Bits)), sizeof(Bits));
  return bits;
}

template <typename Bits>
void store(std::byte* data, int64_t index, Bits bits) {
  std::memcpy(data + index * static_cast<int64_t>(sizeof(Bits)), &bits, sizeof(Bits));
}

}  // namespace mps::software::interpreter
