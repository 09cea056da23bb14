#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/number.hpp>

namespace switchyard {

/// A short list of extents, strides or dimensions. Up to six lie inside the object, so that shapes
/// of common tensors cost no allocation.
class Dims {
 public:
  static constexpr std::size_t kInline = 6;  ///< entries that need no allocation

  Dims() = default;
  /// The values themselves, of any integer types: `zeros({batch, 3})`, `sum(x, 0)`, `zeros(3)`.
  template <typename... T>
  requires(sizeof...(T) > 0 && (std::convertible_to<T, Int> && ...)) Dims(T... values) {
    resize(sizeof...(values));
    std::int64_t* next = data();
    ((*next++ = Int(values)), ...);
  }
  /// A list of int64 made at run time, as `Dims(array)`.
  Dims(std::span<const std::int64_t> values) {
    resize(values.size());
    std::copy(values.begin(), values.end(), data());
  }
  /// The same of a vector, where any other list would not do.
  template <std::same_as<std::vector<std::int64_t>> List>
  Dims(const List& values) : Dims(std::span<const std::int64_t>(values)) {}
  /// The values of a braced list, where braces may hold one value, too.
  template <Integer T>
  static Dims of(std::initializer_list<T> values) {
    Dims dims;
    for (const T value : values) dims.push_back(Int(value));
    return dims;
  }
  /// `size` times the same value.
  static Dims filled(std::size_t size, std::int64_t value) {
    Dims dims;
    dims.resize(size, value);
    return dims;
  }
  Dims(const Dims& other) { *this = other; }
  Dims(Dims&& other) noexcept
      : size_(other.size_), inline_(other.inline_), heap_(std::move(other.heap_)) {
    other.size_ = 0;
  }
  Dims& operator=(const Dims& other) {
    if (!heap_ && !other.heap_) {
      size_ = other.size_;
      inline_ = other.inline_;
    } else if (this != &other) {
      resize(other.size());
      std::copy_n(other.data(), size_, data());
    }
    return *this;
  }
  Dims& operator=(Dims&& other) noexcept {
    size_ = other.size_;
    heap_ = std::move(other.heap_);
    inline_ = other.inline_;
    other.size_ = 0;
    return *this;
  }

  /// Number of entries; 0 of a shape of rank 0.
  std::size_t size() const { return size_; }
  /// Whether there are none.
  bool empty() const { return size_ == 0; }
  /// The entries, one behind the other, until the list grows.
  /// @{
  std::int64_t* data() { return heap_ ? heap_.get() : inline_.data(); }
  const std::int64_t* data() const { return heap_ ? heap_.get() : inline_.data(); }
  /// @}
  /// Entry `i`, from 0 to size() - 1; -1 is the last, as in Python. Throws Error(invalid_argument)
  /// beyond either end.
  template <Integer I>
  std::int64_t& operator[](I i) {
    return data()[position(i)];
  }
  /// The same of a list that does not change.
  template <Integer I>
  std::int64_t operator[](I i) const {
    return data()[position(i)];
  }
  /// For loops over the entries.
  /// @{
  std::int64_t* begin() { return data(); }
  std::int64_t* end() { return data() + size_; }
  const std::int64_t* begin() const { return data(); }
  const std::int64_t* end() const { return data() + size_; }
  /// @}
  /// The last entry. Throws Error(invalid_argument) where there is none.
  std::int64_t back() const { return (*this)[-1]; }
  /// The entries, until the list grows.
  std::span<const std::int64_t> span() const { return {data(), size_}; }

  /// Keeps what fits; new positions hold `value`.
  void resize(std::size_t size, std::int64_t value = 0) {
    if (size > kInline && size > capacity_of_heap()) {
      auto larger = std::make_unique<std::int64_t[]>(size + 1);
      larger[0] = static_cast<std::int64_t>(size);
      std::copy_n(data(), size_, larger.get() + 1);
      heap_ = Heap(std::move(larger));
    }
    if (size > size_) std::fill(data() + size_, data() + size, value);
    size_ = static_cast<std::uint32_t>(size);
  }
  /// Adds an entry behind the last.
  void push_back(std::int64_t value) { resize(size_ + std::size_t{1}, value); }
  /// Throws Error(invalid_argument) for a place beyond the end.
  void insert(std::size_t at, std::int64_t value) {
    if (at > size_) refuse_index(static_cast<std::int64_t>(at), size_);
    push_back(0);
    std::copy_backward(begin() + at, end() - 1, end());
    data()[at] = value;
  }
  /// Takes entry `at` out. Throws Error(invalid_argument) beyond the end.
  void erase(std::size_t at) {
    if (at >= size_) refuse_index(static_cast<std::int64_t>(at), size_);
    std::copy(begin() + at + 1, end(), begin() + at);
    --size_;
  }

  friend bool operator==(const Dims& a, const Dims& b) {
    if (a.size_ != b.size_) return false;
    const std::int64_t* left = a.data();
    const std::int64_t* right = b.data();
    for (std::uint32_t i = 0; i < a.size_; ++i) {  // short: a call of memcmp would cost more
      if (left[i] != right[i]) return false;
    }
    return true;
  }

 private:
  template <Integer I>
  std::size_t position(I i) const {
    auto at = static_cast<std::size_t>(i);
    if constexpr (std::signed_integral<I>) {
      if (i < 0) at += size_;  // wraps round to what is too large, where it is beyond the start
    }
    if (at >= size_) [[unlikely]]
      refuse_index(static_cast<std::int64_t>(i), size_);
    return at;
  }
  [[noreturn]] SWITCHYARD_API static void refuse_index(std::int64_t index, std::size_t size);

  /// Holds its capacity in the element before the first.
  class Heap {
   public:
    Heap() = default;
    explicit Heap(std::unique_ptr<std::int64_t[]> block) : block_(std::move(block)) {}
    explicit operator bool() const { return block_ != nullptr; }
    std::int64_t* get() const { return block_.get() + 1; }
    std::size_t capacity() const { return block_ ? static_cast<std::size_t>(block_[0]) : 0; }

   private:
    std::unique_ptr<std::int64_t[]> block_;
  };
  std::size_t capacity_of_heap() const { return heap_.capacity(); }

  std::uint32_t size_ = 0;
  std::array<std::int64_t, kInline> inline_{};  // copied whole: cheaper than what is used
  Heap heap_;
};

/// Product of extents; 1 for rank 0. Extents must be known. A product that is too large to be told
/// is INT64_MAX.
inline std::int64_t element_count(const Dims& shape) {
  std::int64_t count = 1;
  bool overflows = false;
  for (std::int64_t extent : shape) {
    if (extent == 0) return 0;
    overflows |= __builtin_mul_overflow(count, extent, &count);
  }
  return overflows ? INT64_MAX : count;
}

/// Row-major strides, in elements. Those that are too large to be told are INT64_MAX.
inline Dims contiguous_strides(const Dims& shape) {
  Dims strides = Dims::filled(shape.size(), 1);
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    const std::int64_t extent = shape[i] > 0 ? shape[i] : 1;
    if (__builtin_mul_overflow(stride, extent, &stride)) stride = INT64_MAX;
  }
  return strides;
}

/// True if elements lie in row-major order without gaps; extents of 1 may have any stride.
inline bool is_contiguous(const Dims& shape, const Dims& strides) {
  std::int64_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0) return true;
    if (shape[i] != 1 && strides[i] != expected) return false;
    if (__builtin_mul_overflow(expected, shape[i], &expected)) expected = INT64_MAX;
  }
  return true;
}

}  // namespace switchyard
