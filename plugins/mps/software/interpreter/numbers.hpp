// Values as the numbers they are computed in: Number is float for the three float types, int64_t
// for integers and booleans.
#pragma once

#include <cstdint>
#include <vector>

#include "software/interpreter/value.hpp"

namespace mps::software::interpreter {

// Reads `value`, which must outlive it; without a copy where its elements are of type Number.
template <typename Number>
class Numbers {
 public:
  explicit Numbers(const Value& value);
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;

  const Number* data() const { return data_; }
  Number operator[](int64_t index) const { return data_[index]; }

 private:
  std::vector<Number> converted_;
  const Number* data_ = nullptr;
};

// Numbers to be written, then rounded to the elements of `type`; integers wrap around.
template <typename Number>
class Results {
 public:
  Results(const seam::TensorType& type, Number initial);
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  Number* data() { return data_; }
  Number& operator[](int64_t index) { return data_[index]; }
  Value rounded();  // once, at the end

 private:
  Value value_;
  std::vector<Number> unrounded_;
  Number* data_ = nullptr;
};

extern template class Numbers<float>;
extern template class Numbers<int64_t>;
extern template class Results<float>;
extern template class Results<int64_t>;

}  // namespace mps::software::interpreter
