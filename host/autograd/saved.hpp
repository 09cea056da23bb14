#pragma once

#include <cstdint>
#include <string_view>

#include <switchyard/tensor.hpp>

#include "autograd/backward_step.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// A tensor kept for the backward pass, with the version that its elements had.
class SavedTensor {
 public:
  SavedTensor() = default;
  /// An input: itself, with its history.
  explicit SavedTensor(const TensorRef& tensor);
  /// An output: its elements alone, as its history leads to the step that keeps this.
  static SavedTensor of_output(const TensorRef& tensor);

  explicit operator bool() const { return static_cast<bool>(tensor_); }
  /// Throws Error(invalid_argument) naming `op` if the elements were written over since.
  void check(std::string_view op) const;
  const TensorRef& tensor() const { return tensor_; }

 private:
  TensorRef tensor_;
  std::uint32_t version_ = 0;
};

/// A tensor of the same elements without a history.
TensorRef alias_of(const TensorRef& tensor);

}  // namespace switchyard
