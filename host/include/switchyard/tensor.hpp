#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/export.hpp>

struct
    DLManagedTensor;  // from <dlpack/dlpack.h>, which only callers of the two functions below need

namespace switchyard {

struct TensorImpl;

/// The dtype of a C++ element type.
template <typename T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::float32;
};
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::float64;
};
template <>
struct DTypeOf<std::int8_t> {
  static constexpr DType value = DType::int8;
};
template <>
struct DTypeOf<std::int16_t> {
  static constexpr DType value = DType::int16;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::int32;
};
template <>
struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::int64;
};
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::uint8;
};
template <>
struct DTypeOf<std::uint16_t> {
  static constexpr DType value = DType::uint16;
};
template <>
struct DTypeOf<std::uint32_t> {
  static constexpr DType value = DType::uint32;
};
template <>
struct DTypeOf<std::uint64_t> {
  static constexpr DType value = DType::uint64;
};
template <>
struct DTypeOf<bool> {
  static constexpr DType value = DType::bool_;
};

/// A view of elements in a device's memory, or in the host's. Copies are cheap and share the
/// elements, which do not change. Any thread may use a tensor.
class SWITCHYARD_API Tensor {
 public:
  /// No tensor: for optional inputs that are left out.
  Tensor() = default;
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  /// Copies contiguous elements from host memory. Throws Error(usage) if `bytes` is not what
  /// `shape` needs.
  static Tensor copy_of(DType dtype, const Dims& shape, const void* data, std::size_t bytes);
  template <typename T>
  static Tensor of(const Dims& shape, std::span<const T> values) {
    return copy_of(DTypeOf<T>::value, shape, values.data(), values.size_bytes());
  }
  template <typename T>
  static Tensor of(const Dims& shape, const std::vector<T>& values) {
    return of(shape, std::span<const T>(values));
  }
  template <typename T>
  static Tensor scalar(T value) {
    return copy_of(DTypeOf<T>::value, {}, &value, sizeof(T));
  }
  /// Elements that are text; they stay with the host.
  static Tensor of_text(const Dims& shape, std::vector<std::string> values);

  explicit operator bool() const { return impl_ != nullptr; }
  DType dtype() const;
  const Dims& shape() const;
  const Dims& strides() const;     // in elements
  std::int64_t size() const;       // number of elements
  std::size_t size_bytes() const;  // of the elements, contiguous
  bool is_contiguous() const;

  /// "plugin:0", or "host" for a value that no device holds yet.
  std::string device() const;

  /// The same elements on `device`; this tensor itself if it lies there.
  Tensor to(const Device& device) const;

  /// Writes the elements, contiguous, to host memory. Waits for the work that makes them. Throws
  /// Error(usage) if `bytes` is not size_bytes().
  void copy_to(void* destination, std::size_t bytes) const;
  template <typename T>
  std::vector<T> to_vector() const {
    require(DTypeOf<T>::value);
    std::vector<T> values(static_cast<std::size_t>(size()));
    copy_to(values.data(), values.size() * sizeof(T));
    return values;
  }
  /// The only element.
  template <typename T>
  T item() const {
    require(DTypeOf<T>::value);
    T value;
    copy_to(&value, sizeof(T));
    return value;
  }
  std::vector<std::string> to_texts() const;

  /// A DLPack capsule that shares the elements; the caller calls its deleter. Throws
  /// Error(unsupported) where the device's memory cannot be exported, and for types DLPack does not
  /// have.
  DLManagedTensor* to_dlpack() const;
  /// Takes over a capsule in host memory, sharing its elements, which must not change. Throws
  /// Error(unsupported) for other devices, dtypes or strides that are not contiguous.
  static Tensor from_dlpack(DLManagedTensor* capsule);

  /// For the library's own use.
  explicit Tensor(TensorImpl* impl);
  static Tensor adopt(TensorImpl* impl);
  TensorImpl* impl() const { return impl_; }

 private:
  void require(DType dtype) const;

  TensorImpl* impl_ = nullptr;
};

}  // namespace switchyard
