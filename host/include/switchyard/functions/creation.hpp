#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include <switchyard/device.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// What a new tensor is to be: `zeros({3, 3}, {.dtype = DType::float16, .device = "plugin:0"})`.
struct TensorOptions {
  std::optional<DType> dtype = {};    // else float32, or what the function says
  std::optional<Device> device = {};  // else the current device, or that of the tensor given
  bool requires_grad = false;
};

SWITCHYARD_API Tensor zeros(const Dims& shape, const TensorOptions& options = {});
SWITCHYARD_API Tensor ones(const Dims& shape, const TensorOptions& options = {});
/// Every element is `value`; of its dtype (float32 for floating numbers) unless the options say.
SWITCHYARD_API Tensor full(const Dims& shape, const Tensor& value,
                           const TensorOptions& options = {});
/// Elements of no particular value.
SWITCHYARD_API Tensor empty(const Dims& shape, const TensorOptions& options = {});

/// Of the shape and, unless the options say, of the dtype and device of `like`.
SWITCHYARD_API Tensor zeros_like(const Tensor& like, const TensorOptions& options = {});
SWITCHYARD_API Tensor ones_like(const Tensor& like, const TensorOptions& options = {});
SWITCHYARD_API Tensor full_like(const Tensor& like, const Tensor& value,
                                const TensorOptions& options = {});
SWITCHYARD_API Tensor empty_like(const Tensor& like, const TensorOptions& options = {});
/// The same with another shape: what rules of gradients need.
SWITCHYARD_API Tensor full_like(const Tensor& like, const Dims& shape, const Tensor& value,
                                std::optional<DType> dtype = {});

/// start, start + step, ... less than `end`; int64 where all are integers, else float32.
SWITCHYARD_API Tensor arange(const Tensor& end, const TensorOptions& options = {});
SWITCHYARD_API Tensor arange(const Tensor& start, const Tensor& end, const Tensor& step = 1,
                             const TensorOptions& options = {});
/// `steps` numbers from `start` to `end`, both included, at equal distances.
SWITCHYARD_API Tensor linspace(double start, double end, std::int64_t steps,
                               const TensorOptions& options = {});
/// Ones on the main diagonal of a matrix of zeros; `columns` is `rows` if it is left out.
SWITCHYARD_API Tensor eye(std::int64_t rows, std::optional<std::int64_t> columns = {},
                          const TensorOptions& options = {});

/// A copy of `values` with that shape, on the options' device; converted to its dtype.
template <Number T>
Tensor from_data(const std::vector<T>& values, const Dims& shape,
                 const TensorOptions& options = {});
/// What tensor() takes: a number, or a list of them, or of lists of one shape, at any depth.
class SWITCHYARD_API NestedNumbers {
 public:
  template <Number T>
  NestedNumbers(T number) : NestedNumbers(std::initializer_list<T>{number}) {
    shape_ = {};
  }
  template <Number T>
  NestedNumbers(std::initializer_list<T> numbers)
      : shape_{static_cast<std::int64_t>(numbers.size())}, dtype_(usual_dtype<T>()) {
    for (const T number : numbers) {
      integers_.push_back(std::integral<T> ? static_cast<std::int64_t>(number) : 0);
      numbers_.push_back(static_cast<double>(number));
    }
  }
  /// Throws Error(usage) where the shapes of the rows differ.
  NestedNumbers(std::initializer_list<NestedNumbers> rows);

  const Dims& shape() const { return shape_; }
  /// float32 where one of them is not an integer, else int64, or bool where all are.
  DType dtype() const { return dtype_; }

 private:
  friend SWITCHYARD_API Tensor tensor(const NestedNumbers& numbers, const TensorOptions& options);
  template <Number T>
  static constexpr DType usual_dtype() {
    if (std::same_as<T, bool>) return DType::bool_;
    return std::integral<T> ? DType::int64 : DType::float32;
  }

  Dims shape_;
  DType dtype_;
  std::vector<std::int64_t> integers_;  // 0 for those that are none
  std::vector<double> numbers_;
};
/// `tensor({1, 2, 3})`, `tensor({{1., 2.}, {3., 4.}})`, `tensor(0.5)`.
SWITCHYARD_API Tensor tensor(const NestedNumbers& numbers, const TensorOptions& options = {});

/// `host` brought to where the options say, or to the current device, as their dtype says.
SWITCHYARD_API Tensor place(const Tensor& host, const TensorOptions& options = {});

template <Number T>
Tensor from_data(const std::vector<T>& values, const Dims& shape, const TensorOptions& options) {
  if constexpr (std::same_as<T, bool>) {  // a vector of bools has no bytes of its own
    const std::vector<std::uint8_t> bytes(values.begin(), values.end());
    return place(Tensor::copy_of(DType::bool_, shape, bytes.data(), bytes.size()), options);
  } else {
    return place(Tensor::of(shape, values), options);
  }
}

}  // namespace switchyard
