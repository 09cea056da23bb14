#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <switchyard/borrow.hpp>
#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/element.hpp>
#include <switchyard/export.hpp>
#include <switchyard/hook.hpp>
#include <switchyard/host_view.hpp>
#include <switchyard/number.hpp>
#include <switchyard/text.hpp>

// DLPack's structs, which only callers of the functions of these names need: both are declared by
// <dlpack/dlpack.h> from version 1.0 on, and the first alone by older ones, Debian 12's 0.6 among
// them; there a program declares the second itself, as DLPack's specification has it.
struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace switchyard {

struct TensorImpl;
class Index;
class Indexed;
class Mask;
struct TensorOptions;
struct ValuesAndIndices;

/// A view of elements in a device's memory, or in the host's. Copies are cheap and share the
/// elements. Functions that end with an underscore, and the operators +=, -=, *= and /=, write to
/// the elements that all views share; nothing else changes them. Any thread may use a tensor, as
/// long as none writes to it meanwhile.
///
/// Functions of tensors run on the device where the tensors lie, and their results lie there; see
/// <switchyard/functions.hpp>. Dimensions count from 0, or from the end with -1. What a function
/// cannot do is an Error(invalid_argument) that names it and the shapes; Error(unsupported) if no
/// device can.
///
/// What is a member: what a tensor is, where it lies and how it is read; its gradient; views;
/// functions in place; new tensors like it (new_zeros() and so on); and the functions that programs
/// call most, each of which is the free function of the same name with the tensor as its first
/// argument. Every function that computes is a free one, but for the few of which a comment says
/// "as a member alone".
class SWITCHYARD_API Tensor {
 public:
  /// No tensor: for optional inputs that are left out.
  Tensor() : impl_(nullptr) {}
  /// A number, as `2 * x` has it.
  template <Number T>
  Tensor(T number) : Tensor(of_number(number)) {}
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor& other) &;
  Tensor& operator=(Tensor&& other) & noexcept;
  /// In `x.select(0, 0) = y` nothing would be written to: `x[0] = y` is, and
  /// `x.select(0, 0).copy_(y)`.
  /// @{
  Tensor& operator=(const Tensor& other) && = delete;
  Tensor& operator=(Tensor&& other) && = delete;
  /// @}
  ~Tensor();

  /// False for a Tensor that holds nothing: one made by Tensor(), left out, or moved from. All
  /// other functions throw Error(invalid_argument) for such a one.
  [[nodiscard]] bool defined() const noexcept { return impl_ != nullptr; }
  /// The truth of the only element: whether it is not zero. Waits for the work that makes it.
  /// Throws Error(shape_mismatch) for any other number of elements: all(x) or any(x) says which
  /// count.
  explicit operator bool() const;
  /// The type of its elements.
  [[nodiscard]] DType dtype() const;
  /// Extents, and strides in elements, of each dimension; valid as long as the tensor, and copies
  /// where it is a temporary.
  /// @{
  [[nodiscard]] const Dims& shape() const&;
  [[nodiscard]] const Dims& strides() const&;  ///< in elements
  [[nodiscard]] Dims shape() const&& { return shape(); }
  [[nodiscard]] Dims strides() const&& { return strides(); }
  /// @}
  [[nodiscard]] std::int64_t size() const;       ///< number of elements
  [[nodiscard]] std::size_t size_bytes() const;  ///< of the elements, contiguous
  /// size(), by the name that PyTorch has for it.
  [[nodiscard]] std::int64_t numel() const { return size(); }
  /// The rank.
  [[nodiscard]] std::int64_t dim() const { return static_cast<std::int64_t>(shape().size()); }
  [[nodiscard]] std::int64_t size(Dim dim) const;  ///< an extent
  /// Whether elements lie in row-major order without gaps.
  [[nodiscard]] bool is_contiguous() const;

  /// Where the elements lie; Device::host() for a value that no device holds yet.
  [[nodiscard]] Device device() const;

  /// The same elements on `device`, or as another type; this tensor itself if they are so already.
  /// With `non_blocking` work that makes or reads them may go on; else it is over.
  /// @{
  [[nodiscard]] Tensor to(const Device& device, Flag non_blocking = false) const;
  [[nodiscard]] Tensor to(DType dtype) const;
  /// @}
  /// The same by name, "plugin", "plugin:1" or "host", in the runtime of this tensor's device (of a
  /// value of the host: the current one). Throws Error(device_unavailable) if there is no such
  /// device.
  [[nodiscard]] Tensor to(Text device, Flag non_blocking = false) const;
  /// The same elements on `device` and as another type, converted on the side where they are
  /// smaller.
  [[nodiscard]] Tensor to(const Device& device, DType dtype, Flag non_blocking = false) const;
  /// A device is named by its plugin: `x.to("plugin:1")`.
  template <std::integral T>
  [[nodiscard]] Tensor to(T device, Flag non_blocking = false) const = delete;
  [[nodiscard]] Tensor to(std::nullptr_t device, Flag non_blocking = false) const = delete;
  /// The same elements, in row-major order without gaps: this tensor itself if they are so already.
  [[nodiscard]] Tensor contiguous() const;
  /// A contiguous copy.
  [[nodiscard]] Tensor clone() const;

  /// Writes the elements, contiguous, to host memory. Waits for the work that makes them. Throws
  /// Error(invalid_argument) if `bytes` is not size_bytes().
  void copy_to(void* destination, std::size_t bytes) const;
  /// The elements in row-major order. Waits for the work that makes them. Throws
  /// Error(invalid_argument) for another type than dtype(); out of memory is Error(out_of_memory).
  template <Element T>
  [[nodiscard]] std::vector<T> to_vector() const {
    require(DTypeOf<T>::value, "to_vector");
    // A vector of bools has no bytes of its own.
    using Byte = std::conditional_t<std::same_as<T, bool>, std::uint8_t, T>;
    std::vector<Byte> values;
    const auto grow = [](void* list, std::size_t count) -> void* {
      auto& grown = *static_cast<std::vector<Byte>*>(list);
      grown.resize(count);
      return grown.data();
    };
    copy_out(&values, grow, "to_vector");
    if constexpr (std::same_as<T, bool>) {
      return {values.begin(), values.end()};
    } else {
      return values;
    }
  }
  /// The only element. Waits for the work that makes it. Throws Error(shape_mismatch) if there are
  /// more, or none, and Error(invalid_argument) if it is of another type.
  template <Element T>
  [[nodiscard]] T item() const {
    require(DTypeOf<T>::value, "item");
    T value;
    copy_element(&value, "item");
    return value;
  }
  /// The only element, whatever its number type; integers above 2^53 are rounded. Waits for the
  /// work that makes it. Throws Error(shape_mismatch) for another number of elements.
  [[nodiscard]] double item() const;
  /// The texts in row-major order. Throws Error(invalid_argument) for another dtype than string.
  [[nodiscard]] std::vector<std::string> to_texts() const;

  /// The elements where they lie, without a copy, for as long as the view lives; waits for the work
  /// that makes them. The tensor must be contiguous. Throws Error(invalid_argument) where `T` is no
  /// C++ type of the dtype, or the elements are strided, and Error(unsupported) where they lie
  /// in memory that the host has no address of: to_vector() copies them, and to(Device::host()).
  template <Element T>
  [[nodiscard]] HostView<T> view_host() const {
    require(DTypeOf<T>::value, "view_host");
    const void* elements = nullptr;
    std::shared_ptr<const void> kept = keep_for_host(elements, "view_host");
    return HostView<T>(std::move(kept),
                       {static_cast<const T*>(elements), static_cast<std::size_t>(size())},
                       shape());
  }
  /// The same as bytes, size_bytes() of them: for a dtype that is known as the program runs, or
  /// that has no C++ type. Throws Error(invalid_argument) for text.
  [[nodiscard]] HostView<std::byte> view_host_bytes() const;

  /// A tensor of that shape over memory of the caller's, without a copy, from its first element on:
  /// `Tensor::borrow(std::span(pixels), {1, 3, 224, 224}, [owner] {})`. It lies on the device of
  /// the options, else the current one, if that computes in the host's memory (a plugin says so of
  /// its device) and the elements are aligned as their type asks: functions read them there, as
  /// they are at that moment, and functions in place and runs of models with targets write to them.
  /// Of `const` elements it is read-only: what would write to it is Error(invalid_argument). For
  /// other devices, and for Device::host(), it is a value of the host, contiguous and never written
  /// to: functions bring it to a device, whose copy is kept with it, so that the elements must not
  /// change. Before the caller reads what a device wrote, it waits for the device
  /// (Device::synchronize(), or view_host()).
  ///
  /// Memory may be borrowed more than once, in parts that overlap: functions in place write as if
  /// they had read everything before. The order of work on different streams, and autograd's check
  /// of tensors that were written to, know the tensors and views of one call of borrow() only.
  ///
  /// `owner` keeps the memory (see MemoryOwner). Letting go of the last tensor may wait for work of
  /// a device that uses it. Throws Error(shape_mismatch) where a span is shorter than shape and
  /// strides need, Error(invalid_argument) for a null pointer to more than no elements, for text
  /// and for negative extents or strides, and Error(unsupported) for strided elements of a value of
  /// the host, and for those of fewer than 8 bits.
  [[nodiscard]] static Tensor borrow(const LentMemory& elements, const Dims& shape,
                                     MemoryOwner owner = {}, const BorrowOptions& options = {});

  /// A DLPack capsule that shares the elements, strides and all, once the work that makes them is
  /// over; the caller calls its deleter, on any thread. One without a version cannot say that
  /// elements must not be written to, so it has a copy of those of which that holds: values of the
  /// host, constants of models among them, and read-only tensors. Throws Error(unsupported) where
  /// the device's memory cannot be exported, and for types that DLPack does not have.
  DLManagedTensor* to_dlpack() const;
  /// The same with a version, 1.0: it shares those elements, too, and has the flag of read-only
  /// ones (DLPACK_FLAG_BITMASK_READ_ONLY). With `copy` the elements are a copy that the consumer
  /// may write to, which the flag DLPACK_FLAG_BITMASK_IS_COPIED says.
  DLManagedTensorVersioned* to_dlpack_versioned(Flag copy = false) const;
  /// Takes over a capsule of the host's memory, as borrow() does memory for `device`, or of that
  /// device's own memory, which is the current one's where none is named: the capsule has its
  /// number, and what makes the elements is over. Calls the capsule's deleter as an owner's: also
  /// where it throws, but for a null pointer. One with a version is read-only where its flag says
  /// so. The strides may be any that borrow() takes. Throws Error(unsupported) for memory of other
  /// devices, or that the plugin does not take, for other dtypes and another major version than 1,
  /// of a capsule of which nothing but the deleter is used then.
  /// @{
  [[nodiscard]] static Tensor from_dlpack(DLManagedTensor* capsule,
                                          const std::optional<Device>& device = {});
  [[nodiscard]] static Tensor from_dlpack(DLManagedTensorVersioned* capsule,
                                          const std::optional<Device>& device = {});
  /// @}

  /// Whether backward() computes a gradient of it, or of what it was made from:
  /// <switchyard/autograd.hpp>.
  [[nodiscard]] bool requires_grad() const;
  /// Asks for a gradient, or not; gives this tensor back. Throws Error(invalid_argument) for a
  /// dtype that has none, for a C++ number, and for `false` where a function made the tensor.
  Tensor requires_grad_(Flag requires_grad = true) const;
  /// True unless a function made it from tensors that require gradients.
  [[nodiscard]] bool is_leaf() const;
  /// What backward() added up here; no tensor before.
  [[nodiscard]] Tensor grad() const;
  /// Puts a gradient in the place of the one that there is; an empty one takes it away. The next
  /// backward pass adds to its elements; a value of the host is copied to the tensor's device.
  /// Throws Error(shape_mismatch) for one of another shape, and Error(invalid_argument) for one of
  /// another dtype or on another device, and for one that shares memory with the tensor, is
  /// read-only, or shows an element twice.
  void set_grad(const Tensor& gradient) const;
  /// Asks for the gradient of a tensor that is not a leaf to be kept, too. No other thread may use
  /// the tensor meanwhile. Throws Error(invalid_argument) for a tensor that requires no gradient.
  void retain_grad() const;
  /// Calls `hook` with the gradient of this tensor each time that backward() or grad() has computed
  /// it, before the gradient is added to that of a leaf, kept by retain_grad(), or used for what
  /// the tensor was made from. What it returns takes the place of the gradient, and must be of its
  /// shape and dtype, on its device or the host; the gradient itself must not be written to. No
  /// other thread may use the tensor while a hook is registered. Hooks are called in the order in
  /// which they were registered, each with what the one before has left, by the thread that runs
  /// the backward pass; gradients are recorded with `create_graph` alone. What one throws ends the
  /// pass. Those of a tensor that is not a leaf are about the elements that it has now: a later
  /// write in place takes the tensor away from them. Throws Error(invalid_argument) for a tensor
  /// that requires no gradient.
  RemovableHandle register_hook(Hook<Tensor, const Tensor&> hook) const;
  /// The same elements without what made them: no gradient flows through.
  [[nodiscard]] Tensor detach() const;
  /// Adds to the gradients of the leaves that this tensor was made from. `gradient` is that of this
  /// tensor; it may be left out for a single element. Frees what was saved for it, unless
  /// `retain_graph`; with `create_graph` the gradients have gradients too, and a leaf and its
  /// gradient hold each other until set_grad({}). Throws Error(invalid_argument) for a tensor that
  /// requires no gradient, without `gradient` for several elements, for one of another dtype or
  /// on another device, and for what was freed, or written to, since it was saved;
  /// Error(shape_mismatch) for a gradient of another shape.
  /// @{
  void backward(const Tensor& gradient = {}, Flag retain_graph = false,
                Flag create_graph = false) const;
  void backward(std::same_as<bool> auto retain_graph) const = delete;
  /// @}

  /// @name Views
  /// The functions of these names in <switchyard/functions/shaping.hpp>, with their gradients and
  /// errors: they share the elements where a contract there does not say otherwise. Of a value of
  /// the host they are copies on a device, and what is written to those does not reach it. view()
  /// is reshape() that never copies: Error(shape_mismatch) where strides do not allow a view. t()
  /// is the transpose of a matrix, and the tensor itself of a lower rank.
  /// @{
  [[nodiscard]] Tensor view(const Dims& shape) const;
  [[nodiscard]] Tensor reshape(const Dims& shape) const;
  [[nodiscard]] Tensor flatten(Dim start_dim = 0, Dim end_dim = -1) const;
  [[nodiscard]] Tensor transpose(Dim dim0, Dim dim1) const;
  [[nodiscard]] Tensor t() const;
  [[nodiscard]] Tensor permute(const Dims& dims) const;
  [[nodiscard]] Tensor squeeze() const;
  [[nodiscard]] Tensor squeeze(Dim dim) const;
  [[nodiscard]] Tensor unsqueeze(Dim dim) const;
  [[nodiscard]] Tensor expand(const Dims& shape) const;
  [[nodiscard]] Tensor select(Dim dim, Int index) const;
  [[nodiscard]] Tensor narrow(Dim dim, Int start, Int length) const;
  [[nodiscard]] Tensor as_strided(const Dims& shape, const Dims& strides,
                                  Int storage_offset = 0) const;
  /// @}

  /// x[2], x[{0, Slice(1, 3), Ellipsis()}], x[mask]: see <switchyard/functions/indexing.hpp>.
  /// @{
  [[nodiscard]] Indexed operator[](const Index& index) const;
  [[nodiscard]] Indexed operator[](std::initializer_list<Index> indices) const;
  [[nodiscard]] Tensor index(std::span<const Index> indices) const;
  [[nodiscard]] Tensor index(std::initializer_list<Index> indices) const;
  /// @}
  /// Writes `value` to the elements that `indices` show (as operator[]), in this tensor and all its
  /// views. `value` broadcasts to the shape shown and is converted to this dtype, 2.5 to 2 in
  /// int64. Where two indices show one position, either value may stay. Returns this tensor.
  /// Gradient: to `value`, and to what stays. Throws Error(shape_mismatch) for a value that does
  /// not broadcast; Error(invalid_argument) for an index out of range, a number that an integer
  /// dtype does not hold, a value of the host, and a leaf that requires a gradient, but under
  /// NoGrad.
  /// @{
  Tensor index_put_(std::span<const Index> indices, const Tensor& value) const;
  Tensor index_put_(std::initializer_list<Index> indices, const Tensor& value) const;
  /// @}

  /// @name New tensors
  /// Of this one's dtype, on its device (of a value of the host: the current one), where the
  /// options say nothing else, as zeros(), ones(), full() and empty() make them, which
  /// <switchyard/functions/creation.hpp> describes. As members alone. The value of new_full(), one
  /// element, is converted to the dtype.
  /// @{
  [[nodiscard]] Tensor new_zeros(const Dims& shape) const;
  [[nodiscard]] Tensor new_zeros(const Dims& shape, const TensorOptions& options) const;
  [[nodiscard]] Tensor new_ones(const Dims& shape) const;
  [[nodiscard]] Tensor new_ones(const Dims& shape, const TensorOptions& options) const;
  [[nodiscard]] Tensor new_full(const Dims& shape, const Tensor& value) const;
  [[nodiscard]] Tensor new_full(const Dims& shape, const Tensor& value,
                                const TensorOptions& options) const;
  [[nodiscard]] Tensor new_empty(const Dims& shape) const;
  [[nodiscard]] Tensor new_empty(const Dims& shape, const TensorOptions& options) const;
  /// @}

  /// @name Functions
  /// The most used functions of <switchyard/functions.hpp>, as members: this tensor is the first
  /// argument. The functions of these names say shapes, dtypes, gradients and errors.
  /// @{
  [[nodiscard]] Tensor sum() const;
  [[nodiscard]] Tensor sum(const Dims& dims, Flag keepdim = false) const;
  [[nodiscard]] Tensor mean() const;
  [[nodiscard]] Tensor mean(const Dims& dims, Flag keepdim = false) const;
  [[nodiscard]] Tensor prod() const;
  [[nodiscard]] Tensor prod(const Dims& dims, Flag keepdim = false) const;
  [[nodiscard]] Tensor var(const Dims& dims = {}, Real correction = 1, Flag keepdim = false) const;
  [[nodiscard]] Tensor std(const Dims& dims = {}, Real correction = 1, Flag keepdim = false) const;
  [[nodiscard]] Tensor norm(Real p = 2) const;
  [[nodiscard]] Tensor norm(Real p, const Dims& dims, Flag keepdim = false) const;
  [[nodiscard]] Tensor cumsum(Dim dim) const;
  [[nodiscard]] Tensor any() const;
  [[nodiscard]] Mask any(const Dims& dims, Flag keepdim = false) const;
  [[nodiscard]] Tensor all() const;
  [[nodiscard]] Mask all(const Dims& dims, Flag keepdim = false) const;
  [[nodiscard]] Tensor amax(const Dims& dims = {}, Flag keepdim = false) const;
  [[nodiscard]] Tensor amin(const Dims& dims = {}, Flag keepdim = false) const;
  [[nodiscard]] Tensor max() const;
  [[nodiscard]] Tensor min() const;
  [[nodiscard]] ValuesAndIndices max(Dim dim, Flag keepdim = false) const;
  [[nodiscard]] ValuesAndIndices min(Dim dim, Flag keepdim = false) const;
  [[nodiscard]] Tensor argmax(std::optional<Dim> dim = {}, Flag keepdim = false) const;
  [[nodiscard]] Tensor argmin(std::optional<Dim> dim = {}, Flag keepdim = false) const;
  [[nodiscard]] Tensor abs() const;
  [[nodiscard]] Tensor exp() const;
  [[nodiscard]] Tensor log() const;
  [[nodiscard]] Tensor sqrt() const;
  [[nodiscard]] Tensor square() const;
  [[nodiscard]] Tensor pow(const Tensor& exponent) const;
  [[nodiscard]] Tensor relu() const;
  [[nodiscard]] Tensor sigmoid() const;
  [[nodiscard]] Tensor tanh() const;
  [[nodiscard]] Tensor softmax(Dim dim) const;
  [[nodiscard]] Tensor log_softmax(Dim dim) const;
  [[nodiscard]] Tensor sin() const;
  [[nodiscard]] Tensor cos() const;
  [[nodiscard]] Tensor matmul(const Tensor& other) const;
  /// The sum of the main diagonal of a matrix, integers and bools as int64: as a member alone.
  /// Gradient: to the diagonal. Throws Error(shape_mismatch) for another rank.
  [[nodiscard]] Tensor trace() const;
  [[nodiscard]] Tensor clamp(const Tensor& low = {}, const Tensor& high = {}) const;
  [[nodiscard]] Tensor masked_fill(const Tensor& mask, const Tensor& value) const;
  [[nodiscard]] Tensor gather(Dim dim, const Tensor& index) const;
  [[nodiscard]] Tensor index_select(Dim dim, const Tensor& index) const;
  [[nodiscard]] ValuesAndIndices topk(Int k, Dim dim = -1, Flag largest = true) const;
  [[nodiscard]] ValuesAndIndices sort(Dim dim = -1, Flag descending = false) const;
  [[nodiscard]] Tensor argsort(Dim dim = -1, Flag descending = false) const;
  [[nodiscard]] std::vector<Tensor> split(std::int64_t size, Dim dim = 0) const;
  [[nodiscard]] std::vector<Tensor> split(const Dims& sizes, Dim dim = 0) const;
  template <Integer S>
  [[nodiscard]] std::vector<Tensor> split(std::initializer_list<S> sizes, Dim dim = 0) const {
    return split(Dims::of(sizes), dim);
  }
  template <NotInteger S>
  [[nodiscard]] std::vector<Tensor> split(S size, Dim dim = 0) const = delete;
  [[nodiscard]] std::vector<Tensor> chunk(Int chunks, Dim dim = 0) const;
  [[nodiscard]] std::vector<Tensor> unbind(Dim dim = 0) const;
  [[nodiscard]] Tensor repeat(const Dims& times) const;
  [[nodiscard]] Tensor operator-() const;
  /// @}

  /// @name In place
  /// The functions of these names, whose results are written over the elements, for all views; they
  /// return this tensor. The result must have this shape (other tensors broadcast to it) and this
  /// dtype, or another of its category, to which it is converted: abs_(), neg_() and relu_() take
  /// integers, div_(), exp_() and the like do not. Gradient: as of the functions; a backward pass
  /// that saved what was here refuses it. Throw Error(shape_mismatch) for a larger result;
  /// Error(invalid_argument) for another category, a value of the host, a view that shows elements
  /// more than once, and a leaf that requires a gradient, but under NoGrad.
  /// @{
  Tensor add_(const Tensor& other, const Tensor& alpha = 1) const;
  Tensor sub_(const Tensor& other, const Tensor& alpha = 1) const;
  Tensor mul_(const Tensor& other) const;
  Tensor div_(const Tensor& other) const;
  Tensor pow_(const Tensor& exponent) const;
  Tensor addcmul_(const Tensor& a, const Tensor& b, Real value = 1) const;
  Tensor addcdiv_(const Tensor& a, const Tensor& b, Real value = 1) const;
  Tensor lerp_(const Tensor& end, Real weight) const;
  Tensor clamp_(const Tensor& low, const Tensor& high) const;
  Tensor abs_() const;
  Tensor neg_() const;
  Tensor exp_() const;
  Tensor log_() const;
  Tensor sqrt_() const;
  Tensor relu_() const;
  Tensor sigmoid_() const;
  Tensor tanh_() const;
  /// The elements of `source`, which broadcasts to this shape, converted to this dtype, from any
  /// device.
  Tensor copy_(const Tensor& source) const;
  /// One value everywhere, converted to this dtype. Throws Error(invalid_argument) for a number
  /// that an integer dtype does not hold, Error(shape_mismatch) for more than one element.
  Tensor fill_(const Tensor& value) const;
  Tensor zero_() const;
  Tensor masked_fill_(const Tensor& mask, const Tensor& value) const;
  Tensor scatter_(Dim dim, const Tensor& index, const Tensor& source) const;
  Tensor scatter_add_(Dim dim, const Tensor& index, const Tensor& source) const;
  Tensor index_add_(Dim dim, const Tensor& index, const Tensor& source) const;
  /// Random numbers, uniform in [low, high), or normal; floating-point dtypes alone. Throw
  /// Error(invalid_argument) for bounds out of order, and for a negative deviation.
  Tensor uniform_(Real low = 0, Real high = 1) const;
  /// Normal numbers, as above.
  Tensor normal_(Real mean = 0, Real deviation = 1) const;
  Tensor operator+=(const Tensor& other) const { return add_(other); }
  Tensor operator-=(const Tensor& other) const { return sub_(other); }
  Tensor operator*=(const Tensor& other) const { return mul_(other); }
  Tensor operator/=(const Tensor& other) const { return div_(other); }
  /// @}

  /// For the library's own use.
  /// @{
  explicit Tensor(TensorImpl* impl);
  [[nodiscard]] static Tensor adopt(TensorImpl* impl);
  TensorImpl* impl() const { return impl_; }
  /// @}

 protected:
  /// Throws Error(invalid_argument), which names `function`, for another dtype.
  void require(DType dtype, const char* function) const;

 private:
  static Tensor of_number(bool value);
  static Tensor of_number(std::int64_t value);
  static Tensor of_number(std::uint64_t value);  // int64 if that holds it
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
  static void release(TensorImpl* impl) noexcept;
  // The errors of these name `function`, the template that calls them.
  /// Copies the elements to where `grow` says that the list has room for so many.
  void copy_out(void* list, void* (*grow)(void* list, std::size_t count),
                const char* function) const;
  /// Copies the only element.
  void copy_element(void* destination, const char* function) const;
  /// What keeps the elements where the host reads them, and where that is.
  std::shared_ptr<const void> keep_for_host(const void*& elements, const char* function) const;

  TensorImpl* impl_;
};

/// What a comparison, and &, |, ^ and ~ of such, give: a tensor of bools. `if (a == b)` does not
/// compile; say which of its elements count: `if (all(a == b))`.
class SWITCHYARD_API Mask : public Tensor {
 public:
  /// Elements that are bools already; else Error(invalid_argument).
  explicit Mask(Tensor elements) : Tensor(std::move(elements)) {
    if (defined()) require(DType::bool_, "Mask");
  }
  explicit operator bool() const = delete;
};

}  // namespace switchyard
