/// What Tensor::borrow takes: memory, who keeps it, and how a tensor shows it.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/element.hpp>

namespace switchyard {

/// What keeps borrowed memory: a shared_ptr, which is let go of, or a function object without
/// arguments, a deleter, which is called. Either happens exactly once, when no tensor, no view and
/// no work of a device uses the memory any more, on whichever thread that is; also where the call
/// that takes the owner throws. A deleter must not throw. Without an owner the caller sees to it
/// that the memory stays as long as it is used.
class MemoryOwner {
 public:
  /// No owner.
  MemoryOwner() = default;
  /// Holds it.
  template <typename T>
  MemoryOwner(std::shared_ptr<T> held) : held_(std::move(held)) {}
  /// Calls it; a null pointer and an empty std::function are no owner.
  template <typename Deleter>
  requires(std::invocable<Deleter&> && !std::same_as<std::remove_cvref_t<Deleter>, MemoryOwner>)
      MemoryOwner(Deleter deleter)
      : held_(is_empty(deleter) ? nullptr : called_at_end(deleter)) {}

  /// For the library's own use.
  std::shared_ptr<const void> take() && { return std::move(held_); }

 private:
  template <typename Deleter>
  struct AtEnd {
    explicit AtEnd(Deleter& called) : deleter(std::move(called)) {}
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;
    ~AtEnd() { deleter(); }
    Deleter deleter;
  };
  template <typename Deleter>
  static bool is_empty(const Deleter& deleter) {
    // Of a lambda, the pointer to a function that it may be turned into is never null.
    if constexpr (std::is_pointer_v<Deleter> || std::is_constructible_v<Deleter, std::nullptr_t>) {
      return !deleter;
    } else {
      return false;
    }
  }
  template <typename Deleter>
  static std::shared_ptr<const void> called_at_end(Deleter& deleter) {
    try {
      return std::make_shared<const AtEnd<Deleter>>(deleter);
    } catch (...) {  // no memory for it
      deleter();
      throw;
    }
  }

  std::shared_ptr<const void> held_;
};

/// Elements in memory of the caller's: a span of them, or a pointer to the first one, with its C++
/// type, or with a dtype that C++ has no type for, `{DType::uint4, pointer}`. `const` elements are
/// lent for reading alone. The bytes of bools must be 0 or 1.
class LentMemory {
 public:
  /// The elements of a span; or from the first one on, as many as the shape needs.
  /// @{
  template <typename T, std::size_t kCount>
  requires Element<std::remove_const_t<T>> LentMemory(std::span<T, kCount> elements)
      : LentMemory(elements.data()) {
    size_bytes_ = elements.size_bytes();
  }
  template <typename T>
  requires Element<std::remove_const_t<T>> LentMemory(T* elements)
      : LentMemory(DTypeOf<std::remove_const_t<T>>::value, elements) {}
  LentMemory(DType dtype, void* elements)
      : dtype_(dtype), is_read_only_(false), elements_(elements) {}
  LentMemory(DType dtype, const void* elements)
      : dtype_(dtype), is_read_only_(true), elements_(elements) {}
  /// @}

  /// As given.
  /// @{
  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] bool is_read_only() const { return is_read_only_; }
  [[nodiscard]] const void* elements() const { return elements_; }
  /// @}
  /// Of a span.
  [[nodiscard]] std::optional<std::size_t> size_bytes() const { return size_bytes_; }

 private:
  DType dtype_;
  bool is_read_only_;
  const void* elements_;
  std::optional<std::size_t> size_bytes_;
};

/// Where the borrowed elements are to be used, and how they lie.
struct BorrowOptions {
  std::optional<Device> device = {};  ///< whose functions use the memory; else the current one
  std::optional<Dims> strides = {};   ///< in elements, none negative; else row-major without gaps
};

}  // namespace switchyard
