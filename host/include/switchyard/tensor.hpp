#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/export.hpp>

struct
    DLManagedTensor;  // from <dlpack/dlpack.h>, which only callers of the two functions below need

namespace switchyard {

struct TensorImpl;
class Index;
class Indexed;
class Mask;
struct ValuesAndIndices;

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

/// A C++ number. Where a tensor is wanted it stands for one of rank 0 whose dtype gives way to that
/// of the tensors beside it, as in PyTorch: float32 + 1 is float32.
template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

/// A view of elements in a device's memory, or in the host's. Copies are cheap and share the
/// elements. Functions that end with an underscore, and the operators +=, -=, *= and /=, write to
/// the elements that all views share; nothing else changes them. Any thread may use a tensor, as
/// long as none writes to it meanwhile.
///
/// Functions of tensors run on the device where the tensors lie, and their results lie there; see
/// <switchyard/functions.hpp>. Dimensions count from 0, or from the end with -1. What a function
/// cannot do is an Error(usage) that names it and the shapes; Error(unsupported) if no device can.
class SWITCHYARD_API Tensor {
 public:
  /// No tensor: for optional inputs that are left out.
  Tensor() : impl_(nullptr) {}
  /// A number, as `2 * x` has it.
  template <Number T>
  Tensor(T number) : Tensor(of_number(number)) {}
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  /// A number as a tensor; `Tensor(number)` is the same.
  static Tensor of_number(bool value);
  static Tensor of_number(std::int64_t value);
  static Tensor of_number(std::uint64_t value);  ///< int64 if that holds it
  static Tensor of_number(double value);
  template <Number T>
  static Tensor of_number(T value) {
    if constexpr (std::unsigned_integral<T>) {
      return of_number(static_cast<std::uint64_t>(value));
    } else if constexpr (std::integral<T>) {
      return of_number(static_cast<std::int64_t>(value));
    } else {
      return of_number(static_cast<double>(value));
    }
  }

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

  /// True unless this is not a tensor. (A comparison gives a Mask, which has no such conversion.)
  explicit operator bool() const { return impl_ != nullptr; }
  DType dtype() const;
  const Dims& shape() const;
  const Dims& strides() const;     // in elements
  std::int64_t size() const;       // number of elements
  std::size_t size_bytes() const;  // of the elements, contiguous
  std::int64_t numel() const { return size(); }
  std::int64_t dim() const { return static_cast<std::int64_t>(shape().size()); }  // the rank
  std::int64_t size(std::int64_t dim) const;                                      // an extent
  bool is_contiguous() const;

  /// "plugin:0", or "host" for a value that no device holds yet.
  std::string device() const;

  /// The same elements on `device`, or as another type; this tensor itself if they are so already.
  /// With `non_blocking` work that makes or reads them may go on; else it is over.
  Tensor to(const Device& device, bool non_blocking = false) const;
  Tensor to(DType dtype) const;
  Tensor to(const char* device) const { return to(Device(device)); }
  /// The same elements, in row-major order without gaps: this tensor itself if they are so already.
  Tensor contiguous() const;
  /// A contiguous copy.
  Tensor clone() const;

  /// Writes the elements, contiguous, to host memory. Waits for the work that makes them. Throws
  /// Error(usage) if `bytes` is not size_bytes().
  void copy_to(void* destination, std::size_t bytes) const;
  template <typename T>
  std::vector<T> to_vector() const {
    require(DTypeOf<T>::value);
    // A vector of bools has no bytes of its own.
    using Byte = std::conditional_t<std::same_as<T, bool>, std::uint8_t, T>;
    std::vector<Byte> values;
    copy_out(&values, [](void* list, std::size_t count) -> void* {
      auto& grown = *static_cast<std::vector<Byte>*>(list);
      grown.resize(count);
      return grown.data();
    });
    if constexpr (std::same_as<T, bool>) {
      return {values.begin(), values.end()};
    } else {
      return values;
    }
  }
  /// The only element. Throws Error(usage) if there are more, or it is of another type.
  template <typename T>
  T item() const {
    require(DTypeOf<T>::value);
    if (size() != 1) static_cast<void>(item());  // says what is wrong
    T value;
    copy_to(&value, sizeof(T));
    return value;
  }
  /// The only element, whatever its number type.
  double item() const;
  std::vector<std::string> to_texts() const;

  /// A DLPack capsule that shares the elements, or has a copy of a host value's; the caller calls
  /// its deleter. Throws Error(unsupported) where the device's memory cannot be exported, and for
  /// types DLPack does not have.
  DLManagedTensor* to_dlpack() const;
  /// Takes over a capsule in host memory, the only kind that plugins import; shares its elements,
  /// which must not change. Throws Error(unsupported) for other memory, dtypes or strided elements.
  static Tensor from_dlpack(DLManagedTensor* capsule);

  // Gradients: see <switchyard/autograd.hpp>.
  bool requires_grad() const;
  /// Asks for a gradient, or not. Throws Error(usage) for a type that has none, for a C++ number,
  /// and for one that a function made.
  Tensor& requires_grad_(bool requires_grad = true);
  /// True unless a function made it from tensors that require gradients.
  bool is_leaf() const;
  /// What backward() added up here; no tensor before.
  Tensor grad() const;
  void set_grad(const Tensor& gradient) const;
  /// Asks for the gradient of a tensor that is not a leaf to be kept, too.
  void retain_grad() const;
  /// The same elements without what made them: no gradient flows through.
  Tensor detach() const;
  /// Adds to the gradients of the leaves that this tensor was made from. `gradient` is that of this
  /// tensor; it may be left out for a single element. Frees what was saved for it, unless
  /// `retain_graph`; with `create_graph` the gradients have gradients too, and a leaf and its
  /// gradient hold each other until set_grad({}).
  void backward(const Tensor& gradient = {}, bool retain_graph = false,
                bool create_graph = false) const;

  // Views, sharing the elements; their functions are described in
  // <switchyard/functions/shaping.hpp>.
  Tensor view(const Dims& shape) const;
  Tensor reshape(const Dims& shape) const;
  Tensor flatten(std::int64_t start_dim = 0, std::int64_t end_dim = -1) const;
  Tensor transpose(std::int64_t dim0, std::int64_t dim1) const;
  Tensor t() const;
  Tensor permute(const Dims& dims) const;
  Tensor squeeze() const;
  Tensor squeeze(std::int64_t dim) const;
  Tensor unsqueeze(std::int64_t dim) const;
  Tensor expand(const Dims& shape) const;
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  Tensor as_strided(const Dims& shape, const Dims& strides, std::int64_t storage_offset = 0) const;

  /// x[2], x[{0, Slice(1, 3), Ellipsis()}], x[mask]: see <switchyard/functions/indexing.hpp>.
  Indexed operator[](const Index& index) const;
  Indexed operator[](std::initializer_list<Index> indices) const;
  Tensor index(std::span<const Index> indices) const;
  Tensor index(std::initializer_list<Index> indices) const;
  const Tensor& index_put_(std::span<const Index> indices, const Tensor& value) const;
  const Tensor& index_put_(std::initializer_list<Index> indices, const Tensor& value) const;

  // The most used functions of <switchyard/functions.hpp>, as members.
  Tensor sum() const;
  Tensor sum(const Dims& dims, bool keepdim = false) const;
  Tensor mean() const;
  Tensor mean(const Dims& dims, bool keepdim = false) const;
  Tensor prod() const;
  Tensor var(const Dims& dims = {}, double correction = 1, bool keepdim = false) const;
  Tensor std(const Dims& dims = {}, double correction = 1, bool keepdim = false) const;
  Tensor norm(double p = 2) const;
  Tensor norm(double p, const Dims& dims, bool keepdim = false) const;
  Tensor cumsum(std::int64_t dim) const;
  Mask any() const;
  Mask all() const;
  Tensor amax(const Dims& dims = {}, bool keepdim = false) const;
  Tensor amin(const Dims& dims = {}, bool keepdim = false) const;
  Tensor max() const;
  Tensor min() const;
  ValuesAndIndices max(std::int64_t dim, bool keepdim = false) const;
  ValuesAndIndices min(std::int64_t dim, bool keepdim = false) const;
  Tensor argmax(std::optional<std::int64_t> dim = {}, bool keepdim = false) const;
  Tensor argmin(std::optional<std::int64_t> dim = {}, bool keepdim = false) const;
  Tensor abs() const;
  Tensor exp() const;
  Tensor log() const;
  Tensor sqrt() const;
  Tensor square() const;
  Tensor pow(const Tensor& exponent) const;
  Tensor relu() const;
  Tensor sigmoid() const;
  Tensor tanh() const;
  Tensor softmax(std::int64_t dim) const;
  Tensor log_softmax(std::int64_t dim) const;
  Tensor sin() const;
  Tensor cos() const;
  Tensor matmul(const Tensor& other) const;
  Tensor clamp(const Tensor& low = {}, const Tensor& high = {}) const;
  Tensor masked_fill(const Tensor& mask, const Tensor& value) const;
  Tensor gather(std::int64_t dim, const Tensor& index) const;
  Tensor index_select(std::int64_t dim, const Tensor& index) const;
  ValuesAndIndices topk(std::int64_t k, std::int64_t dim = -1, bool largest = true) const;
  ValuesAndIndices sort(std::int64_t dim = -1, bool descending = false) const;
  Tensor argsort(std::int64_t dim = -1, bool descending = false) const;
  std::vector<Tensor> split(std::int64_t size, std::int64_t dim = 0) const;
  std::vector<Tensor> chunk(std::int64_t chunks, std::int64_t dim = 0) const;
  std::vector<Tensor> unbind(std::int64_t dim = 0) const;
  Tensor repeat(const Dims& times) const;
  Tensor operator-() const;

  // In place. The value is broadcast to this shape and must promote to this dtype.
  const Tensor& add_(const Tensor& other, const Tensor& alpha = 1) const;
  const Tensor& sub_(const Tensor& other, const Tensor& alpha = 1) const;
  const Tensor& mul_(const Tensor& other) const;
  const Tensor& div_(const Tensor& other) const;
  const Tensor& pow_(const Tensor& exponent) const;
  const Tensor& addcmul_(const Tensor& a, const Tensor& b, double value = 1) const;
  const Tensor& addcdiv_(const Tensor& a, const Tensor& b, double value = 1) const;
  const Tensor& lerp_(const Tensor& end, double weight) const;
  const Tensor& clamp_(const Tensor& low, const Tensor& high) const;
  const Tensor& abs_() const;
  const Tensor& neg_() const;
  const Tensor& exp_() const;
  const Tensor& log_() const;
  const Tensor& sqrt_() const;
  const Tensor& relu_() const;
  const Tensor& sigmoid_() const;
  const Tensor& tanh_() const;
  const Tensor& copy_(const Tensor& source) const;
  const Tensor& fill_(const Tensor& value) const;
  const Tensor& zero_() const;
  const Tensor& masked_fill_(const Tensor& mask, const Tensor& value) const;
  const Tensor& uniform_(double low = 0, double high = 1) const;
  const Tensor& normal_(double mean = 0, double deviation = 1) const;
  const Tensor& operator+=(const Tensor& other) const { return add_(other); }
  const Tensor& operator-=(const Tensor& other) const { return sub_(other); }
  const Tensor& operator*=(const Tensor& other) const { return mul_(other); }
  const Tensor& operator/=(const Tensor& other) const { return div_(other); }

  /// For the library's own use.
  explicit Tensor(TensorImpl* impl);
  static Tensor adopt(TensorImpl* impl);
  TensorImpl* impl() const { return impl_; }

 private:
  void require(DType dtype) const;
  /// Copies the elements to where `grow` says that the list has room for so many.
  void copy_out(void* list, void* (*grow)(void* list, std::size_t count)) const;

  TensorImpl* impl_;
};

/// What a comparison gives: a tensor of bools. `if (a == b)` does not compile; say which of its
/// elements matter: `all(a == b).item<bool>()`.
class SWITCHYARD_API Mask : public Tensor {
 public:
  explicit Mask(Tensor elements) : Tensor(std::move(elements)) {}
  explicit operator bool() const = delete;
};

}  // namespace switchyard
