#pragma once

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
/// `tensor({1, 2, 3})`: a list of numbers as a tensor of rank 1; int64, float32 or bool.
SWITCHYARD_API Tensor tensor(std::initializer_list<double> values,
                             const TensorOptions& options = {});
SWITCHYARD_API Tensor tensor(std::initializer_list<std::int64_t> values,
                             const TensorOptions& options = {});
SWITCHYARD_API Tensor tensor(std::initializer_list<int> values, const TensorOptions& options = {});
SWITCHYARD_API Tensor tensor(std::initializer_list<bool> values, const TensorOptions& options = {});
/// Rows of one length as a matrix: `tensor({{1., 2.}, {3., 4.}})`.
SWITCHYARD_API Tensor tensor(std::initializer_list<std::initializer_list<double>> rows,
                             const TensorOptions& options = {});

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
