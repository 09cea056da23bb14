/// @file
/// The C++ numbers that functions take. Truth values and characters are numbers to C++: here they
/// stand for one only where a comment says so.
#pragma once

#include <concepts>

#include <switchyard/element.hpp>

namespace switchyard {

/// An integer: no truth value and no character.
template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !CharacterType<T>;

/// A double that no bool becomes: in `var(x, 0, false)` or `dropout(x, true)` the truth value would
/// count as a correction or a probability. Functions take their numbers so.
class Real {
 public:
  /// Any number but a bool.
  template <typename T>
  requires(Integer<T> || std::floating_point<T>) constexpr Real(T value)
      : value_(static_cast<double>(value)) {}

  /// The number.
  constexpr operator double() const { return value_; }

 private:
  double value_;
};

/// A C++ number, or a truth value. Where a tensor is wanted it stands for one of rank 0 whose dtype
/// gives way to that of the tensors beside it, as in PyTorch: float32 + 1 is float32.
template <typename T>
concept Number = Integer<T> || std::floating_point<T> || std::same_as<T, bool> ||
    std::same_as<T, float16> || std::same_as<T, bfloat16>;

}  // namespace switchyard
