/// @file
/// New tensors. They lie on the device of the options, else the current one or that of the tensor
/// given, are contiguous, and of float32 unless the options or a contract say otherwise. They are
/// leaves: with `requires_grad` gradients are added up there, which flow no further. Errors:
/// Error(invalid_argument) for a negative extent, and for `requires_grad` beside a dtype that is no
/// floating-point one; Error(shape_mismatch) for elements that are not as many as the shape needs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <switchyard/device.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// What a new tensor is to be:
/// `zeros({3, 3}, {.device = Device("plugin:1"), .dtype = DType::float16})`. Functions that most
/// often need a dtype alone take that, too: `zeros({3, 3}, DType::float16)`.
struct TensorOptions {
  std::optional<Device> device = {};  ///< else the current device, or that of the tensor given
  std::optional<DType> dtype = {};    ///< else float32, or what the function says
  bool requires_grad = false;         ///< floating-point dtypes alone
};

namespace detail {

/// Only `{}` makes a list of these: where a shape or a number may stand, too, it means no options.
class NoOptions {
  NoOptions() = delete;
};

}  // namespace detail

/// All zeros, or ones, of float32 unless the options name another dtype. A leaf: no gradient flows
/// back.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor zeros(const Dims& shape, const TensorOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor ones(const Dims& shape, const TensorOptions& options = {});
template <std::same_as<DType> Type>
[[nodiscard]] Tensor zeros(const Dims& shape, Type dtype) {
  return zeros(shape, {.dtype = dtype});
}
template <std::same_as<DType> Type>
[[nodiscard]] Tensor ones(const Dims& shape, Type dtype) {
  return ones(shape, {.dtype = dtype});
}
/// @}
/// Every element is `value`, which has one; of its dtype (float32 for floating-point numbers)
/// unless the options say. No gradient to `value`. Error(invalid_argument) for a number that an
/// integer dtype does not hold.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor full(const Dims& shape, const Tensor& value,
                                         const TensorOptions& options = {});
template <std::same_as<DType> Type>
[[nodiscard]] Tensor full(const Dims& shape, const Tensor& value, Type dtype) {
  return full(shape, value, {.dtype = dtype});
}
/// @}
/// Elements of no particular value, of float32 unless the options name another dtype. No gradient.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor empty(const Dims& shape, const TensorOptions& options = {});
template <std::same_as<DType> Type>
[[nodiscard]] Tensor empty(const Dims& shape, Type dtype) {
  return empty(shape, {.dtype = dtype});
}
/// @}

/// Of the shape and, unless the options say, of the dtype and device of `like`; contiguous,
/// whatever its strides. No gradient to `like` or `value`.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor zeros_like(const Tensor& like,
                                               const TensorOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor ones_like(const Tensor& like,
                                              const TensorOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor full_like(const Tensor& like, const Tensor& value,
                                              const TensorOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor empty_like(const Tensor& like,
                                               const TensorOptions& options = {});
/// @}

/// start, start + step, ... less than `end` (above it, for a negative `step`); int64 where all are
/// integers, else float32, unless the options name another dtype. Numbers, or tensors of one
/// element, which are waited for. Gradient: to the tensors `start` and `step`.
/// Error(invalid_argument) for a step of 0, or one that leads away from the end.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor arange(const Tensor& end, const TensorOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor arange(const Tensor& start, const Tensor& end,
                                           const Tensor& step = 1,
                                           const TensorOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor arange(const Tensor& start, const Tensor& end,
                                           const TensorOptions& options);
[[nodiscard]] inline Tensor arange(const Tensor& end, std::initializer_list<detail::NoOptions>) {
  return arange(end);
}
[[nodiscard]] inline Tensor arange(const Tensor& start, const Tensor& end,
                                   std::initializer_list<detail::NoOptions>) {
  return arange(start, end);
}
/// @}
/// `steps` numbers from `start` to `end`, both included, at equal distances, as float32 unless the
/// options name another dtype. No gradient. Error(invalid_argument) for negative `steps`.
[[nodiscard]] SWITCHYARD_API Tensor linspace(Real start, Real end, Int steps,
                                             const TensorOptions& options = {});
/// Ones on the main diagonal of a matrix of zeros; `columns` is `rows` if it is left out. Of
/// float32 unless the options name another dtype. No gradient.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor eye(Int rows, std::optional<Int> columns = {},
                                        const TensorOptions& options = {});
[[nodiscard]] inline Tensor eye(Int rows, const TensorOptions& options) {
  return eye(rows, std::nullopt, options);
}
[[nodiscard]] inline Tensor eye(Int rows, std::initializer_list<detail::NoOptions>) {
  return eye(rows, std::nullopt);
}
/// @}

/// What tensor() takes: a number, or a list of them, or of lists of one shape, at any depth.
class SWITCHYARD_API NestedNumbers {
 public:
  /// One number, for a tensor of rank 0.
  template <Number T>
  NestedNumbers(T number) : NestedNumbers(std::initializer_list<T>{number}) {
    shape_ = {};
  }
  /// Numbers of one type, for a tensor of rank 1.
  template <Number T>
  NestedNumbers(std::initializer_list<T> numbers)
      : shape_{static_cast<std::int64_t>(numbers.size())}, dtype_(usual_dtype<T>()) {
    for (const T number : numbers) {
      integers_.push_back(std::integral<T> ? static_cast<std::int64_t>(number) : 0);
      numbers_.push_back(static_cast<double>(number));
    }
  }
  /// Rows. Throws Error(shape_mismatch) where their shapes differ.
  NestedNumbers(std::initializer_list<NestedNumbers> rows);

  /// How many there are at each depth.
  [[nodiscard]] const Dims& shape() const { return shape_; }
  /// float32 where one of them is not an integer, else int64, or bool where all are.
  [[nodiscard]] DType dtype() const { return dtype_; }

 private:
  friend SWITCHYARD_API Tensor tensor(const NestedNumbers& numbers, const TensorOptions& options);
  void check_held_by(DType dtype) const;
  template <Number T>
  [[nodiscard]] static constexpr DType usual_dtype() {
    if (std::same_as<T, bool>) return DType::bool_;
    return std::integral<T> ? DType::int64 : DType::float32;
  }

  Dims shape_;
  DType dtype_;
  std::vector<std::int64_t> integers_;  // 0 for those that are none
  std::vector<double> numbers_;
};
/// `tensor({1, 2, 3})`, `tensor({{1., 2.}, {3., 4.}})`, `tensor(0.5)`: int64, float32 where one is
/// not an integer, or bool, unless the options name another dtype. No gradient flows back. Throws
/// Error(invalid_argument) for a number that an integer dtype does not hold, but for negative
/// integers in an unsigned one, which wrap round.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor tensor(const NestedNumbers& numbers,
                                           const TensorOptions& options = {});
template <std::same_as<DType> Type>
[[nodiscard]] Tensor tensor(const NestedNumbers& numbers, Type dtype) {
  return tensor(numbers, TensorOptions{.dtype = dtype});
}
/// @}

/// A copy of elements that follow each other in row-major order, given as their bytes: for dtypes
/// that C++ has no type for. No gradient. Throws Error(shape_mismatch) if they are not as many as
/// `shape` needs.
[[nodiscard]] SWITCHYARD_API Tensor tensor_from_bytes(DType dtype, std::span<const std::byte> bytes,
                                                      const Dims& shape,
                                                      const TensorOptions& options = {});

namespace detail {

/// The same, whose errors name `function`, the template that calls it.
[[nodiscard]] SWITCHYARD_API Tensor tensor_from_bytes(DType dtype, std::span<const std::byte> bytes,
                                                      const Dims& shape,
                                                      const TensorOptions& options,
                                                      const char* function);

}  // namespace detail

/// A list that is known when the program runs; one in braces is NestedNumbers.
template <typename List>
concept ElementList =
    std::ranges::contiguous_range<List> && Element<std::ranges::range_value_t<List>> &&
    !std::same_as<List, std::initializer_list<std::ranges::range_value_t<List>>>;

/// A copy of the elements of a vector, an array or a span, of that shape, in row-major order. Its
/// dtype is that of the elements, unless the options say. No gradient. Throws Error(shape_mismatch)
/// if they are not as many as `shape` needs.
template <ElementList List>
[[nodiscard]] Tensor tensor(const List& elements, const Dims& shape,
                            const TensorOptions& options = {}) {
  using T = std::ranges::range_value_t<List>;
  const std::span<const T> all(elements);
  return detail::tensor_from_bytes(DTypeOf<T>::value, std::as_bytes(all), shape, options, "tensor");
}
/// The same of rank 1, with its dtype; no gradient.
/// @{
template <ElementList List>
[[nodiscard]] Tensor tensor(const List& elements, const TensorOptions& options = {}) {
  return tensor(elements, Dims(std::ranges::size(elements)), options);
}
template <ElementList List>
[[nodiscard]] Tensor tensor(const List& elements, std::initializer_list<detail::NoOptions>) {
  return tensor(elements, TensorOptions{});
}
/// @}
/// The same of a vector of bools, which has no bytes of its own; no gradient.
template <std::same_as<std::vector<bool>> Bools>
[[nodiscard]] Tensor tensor(const Bools& elements, const Dims& shape,
                            const TensorOptions& options = {}) {
  const std::vector<std::uint8_t> bytes(elements.begin(), elements.end());
  return detail::tensor_from_bytes(DType::bool_, std::as_bytes(std::span(bytes)), shape, options,
                                   "tensor");
}
/// The same of rank 1, of bools; no gradient.
/// @{
template <std::same_as<std::vector<bool>> Bools>
[[nodiscard]] Tensor tensor(const Bools& elements, const TensorOptions& options = {}) {
  return tensor(elements, Dims(elements.size()), options);
}
template <std::same_as<std::vector<bool>> Bools>
[[nodiscard]] Tensor tensor(const Bools& elements, std::initializer_list<detail::NoOptions>) {
  return tensor(elements, TensorOptions{});
}
/// @}

/// Elements that are text: they stay with the host. Throws Error(shape_mismatch) if they are not as
/// many as `shape` needs. The dtype is DType::string, which has no gradient.
[[nodiscard]] SWITCHYARD_API Tensor text_tensor(std::vector<std::string> texts, const Dims& shape);

}  // namespace switchyard
