#include "software/interpreter/value.hpp"

#include <utility>

namespace mps::software::interpreter {

Value::Value(seam::TensorType type) : type_(std::move(type)), count_(count_of(type_.shape)) {
  storage_.reset(new std::byte[bytes()]);
  data_ = storage_.get();
}

Value::Value(seam::TensorType type, const std::byte* borrowed)
    : type_(std::move(type)), count_(count_of(type_.shape)), data_(borrowed) {}

Value Value::as(seam::TensorType type) const {
  Value value = *this;
  value.type_ = std::move(type);
  value.count_ = count_of(value.type_.shape);
  return value;
}

}  // namespace mps::software::interpreter
