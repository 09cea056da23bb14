#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <switchyard/tensor.hpp>

namespace switchyard {

// Values of the host, which no device holds yet: what files hold, and what goes along with tensors
// of any device.

/// A copy of contiguous elements. Throws Error(invalid_argument) for text, and if they are not as
/// many as `shape` needs.
Tensor host_tensor_from_bytes(DType dtype, std::span<const std::byte> bytes, const Dims& shape);
/// Throws Error(invalid_argument) if they are not as many as `shape` needs.
Tensor host_texts(const Dims& shape, std::vector<std::string> texts);

template <Element T>
Tensor host_tensor(const Dims& shape, std::span<const T> elements) {
  return host_tensor_from_bytes(DTypeOf<T>::value, std::as_bytes(elements), shape);
}
template <Element T>
Tensor host_tensor(const Dims& shape, const std::vector<T>& elements) {
  return host_tensor(shape, std::span<const T>(elements));
}
template <Element T>
Tensor host_scalar(T element) {
  return host_tensor({}, std::span<const T>(&element, 1));
}

}  // namespace switchyard
