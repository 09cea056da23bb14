#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <switchyard/dims.hpp>
#include <switchyard/element.hpp>

namespace switchyard {

class Tensor;

/// The elements of a tensor where they lie, in row-major order, for reading: what
/// Tensor::view_host() gives. It keeps their memory, whatever becomes of the tensor; copies share
/// it. They are those that the tensor has: what a function in place writes later is seen here, and
/// must not be read while it is written. Any thread may use it. `T` is the C++ type of the dtype,
/// or std::byte, of which an element has as many as its dtype asks.
template <typename T>
requires(Element<T> || std::same_as<T, std::byte>) class HostView {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using const_reference = const T&;
  using const_iterator = const T*;
  using iterator = const_iterator;

  /// As of a span.
  /// @{
  [[nodiscard]] const T* data() const noexcept { return elements_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return elements_.size(); }
  [[nodiscard]] bool empty() const noexcept { return elements_.empty(); }
  [[nodiscard]] const T* begin() const noexcept { return data(); }
  [[nodiscard]] const T* end() const noexcept { return data() + size(); }
  /// @}
  /// Element `i` of all, which must be less than size(), as of a span.
  [[nodiscard]] const T& operator[](std::size_t i) const { return elements_[i]; }
  /// All of them, valid as long as the view or a copy of it: not of a temporary.
  [[nodiscard]] std::span<const T> span() const& noexcept { return elements_; }
  [[nodiscard]] std::span<const T> span() const&& = delete;
  /// The tensor's; a copy where the view is a temporary.
  /// @{
  [[nodiscard]] const Dims& shape() const& noexcept { return shape_; }
  [[nodiscard]] Dims shape() const&& { return shape_; }
  /// @}

 private:
  friend class Tensor;
  HostView(std::shared_ptr<const void> kept, std::span<const T> elements, const Dims& shape)
      : kept_(std::move(kept)), elements_(elements), shape_(shape) {}

  std::shared_ptr<const void> kept_;
  std::span<const T> elements_;
  Dims shape_;
};

}  // namespace switchyard
