/// @file
/// The C++ numbers that functions take. Truth values and characters are numbers to C++: here they
/// stand for one only where a comment says so.
#pragma once

#include <concepts>
#include <cstdint>

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
  /// The same, where fmt writes one.
  friend constexpr double format_as(Real number) { return number.value_; }

 private:
  double value_;
};

/// A truth value that no number becomes: in `x.sum(0, 1)` the second dimension would count as
/// `keepdim`. Functions take their truth values so.
class Flag {
 public:
  /// A bool alone.
  template <std::same_as<bool> T>
  constexpr Flag(T value) : value_(value) {}

  /// The truth value.
  constexpr operator bool() const { return value_; }

 private:
  bool value_;
};

/// The number of a dimension, from 0 on, or from the end with -1: an integer that no bool and no
/// double becomes, as in `x.argmax(true)` or `softmax(x, 1.5)`.
class Dim {
 public:
  /// An integer.
  template <Integer T>
  constexpr Dim(T value) : value_(static_cast<std::int64_t>(value)) {}

  /// The number.
  constexpr operator std::int64_t() const { return value_; }
  /// The same, where fmt writes one.
  friend constexpr std::int64_t format_as(Dim dim) { return dim.value_; }

 private:
  std::int64_t value_;
};

/// A C++ number, or a truth value. Where a tensor is wanted it stands for one of rank 0 whose dtype
/// gives way to that of the tensors beside it, as in PyTorch: float32 + 1 is float32.
template <typename T>
concept Number = Integer<T> || std::floating_point<T> || std::same_as<T, bool> ||
    std::same_as<T, float16> || std::same_as<T, bfloat16>;

}  // namespace switchyard
