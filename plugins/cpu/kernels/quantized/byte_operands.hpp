// Operands of quantized products as the kernels of byte_product.hpp take them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/quantized/byte_matrix.hpp"
#include "kernels/quantized/byte_product.hpp"
#include "machine/scratch.hpp"
#include "run/kernel.hpp"

namespace cpu {

inline bool is_byte(sy_dtype dtype) { return dtype == SY_INT8 || dtype == SY_UINT8; }

// The elements of a tensor of any strides and whole dtype, row-major, each with `shift` added.
std::vector<int32_t> integers_of(const ConstTensor& tensor, int32_t shift);

// The numbers of `count` columns, of which one number is given for all or one for each.
template <typename T>
std::vector<T> for_columns(std::vector<T> numbers, int64_t count) {
  if (numbers.size() == 1) numbers.resize(static_cast<size_t>(count), numbers[0]);
  if (numbers.size() != static_cast<size_t>(count)) {
    throw sy::invalid(numbers.size(), " scales, zero points or biases for ", count, " outputs");
  }
  return numbers;
}

template <typename T>
Each<T> each_of(const std::vector<T>& numbers) {
  return {numbers.data(), numbers.size() == 1 ? 0 : 1};
}

// Null if all are 0.
const int32_t* unless_zero(const std::vector<int32_t>& numbers);

// A constant's packed form, made once for each `form`; null if `weights` is not a constant whose
// data are known.
std::shared_ptr<const void> packed_bytes(
    const sy_value& weights, const std::string& form,
    const std::function<std::shared_ptr<const void>(const ConstTensor& constant)>& make);

// A byte tensor whose elements have no gaps in the order of `strides`, as uint8_t.
class UnsignedBytes {
 public:
  UnsignedBytes(const ConstTensor& tensor, const sy::Dimensions& strides);
  const uint8_t* data() const { return data_; }

 private:
  bool is_there_;
  Scratch<uint8_t> copy_;
  const uint8_t* data_;
};

// An output's own memory where its elements lie as `strides` say, else memory whose elements are
// copied to it. The tensor must outlive it.
class DenseOutput {
 public:
  DenseOutput(const Tensor& y, const sy::Dimensions& strides);
  char* data() const { return is_there_ ? y_.as<char>() : beside_.data(); }
  void write_back() const;

 private:
  const Tensor& y_;
  sy::Dimensions strides_;
  bool is_there_;
  Scratch<char> beside_;
};

}  // namespace cpu
