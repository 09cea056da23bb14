#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include <switchyard/export.hpp>

namespace switchyard {

/// A text that a function reads: what a std::string_view is, but that no null pointer becomes one,
/// as the 0 of `runtime.device(0)` would.
class Text : public std::string_view {
 public:
  /// No characters.
  constexpr Text() = default;
  /// Up to the null character. Throws Error(invalid_argument) for a null pointer.
  constexpr Text(const char* text) : std::string_view(text ? text : refuse_null()) {}
  /// A std::string, a std::string_view, or what becomes one.
  template <std::convertible_to<std::string_view> T>
  requires(!std::convertible_to<T, const char*>) constexpr Text(const T& text)
      : std::string_view(text) {}
  Text(std::nullptr_t) = delete;
  template <std::integral T>
  Text(T) = delete;

 private:
  [[noreturn]] SWITCHYARD_API static const char* refuse_null();
};

}  // namespace switchyard
