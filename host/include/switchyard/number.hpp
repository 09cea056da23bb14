/// @file
/// The C++ numbers that functions take. Truth values and characters are numbers to C++: here they
/// stand for one only where a comment says so.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <switchyard/element.hpp>

namespace switchyard {

/// An integer: no truth value and no character.
template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !CharacterType<T>;

/// Any other arithmetic type of C++. Deleted overloads take them where an integer is a parameter by
/// itself, beside an overload for tensors.
template <typename T>
concept NotInteger = std::is_arithmetic_v<T> && !Integer<T>;

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

/// An integer that no bool, no character and no double becomes: `nn::Linear(2.5, 3)` and
/// `x.topk(true)` do not compile. Functions take their counts, sizes and positions so.
class Int {
 public:
  /// An integer.
  template <Integer T>
  constexpr Int(T value) : value_(static_cast<std::int64_t>(value)) {}

  /// The number.
  constexpr operator std::int64_t() const { return value_; }
  /// The same, where fmt writes one.
  friend constexpr std::int64_t format_as(Int number) { return number.value_; }

 private:
  std::int64_t value_;
};

/// The number of a dimension, from 0 on, or from the end with -1.
using Dim = Int;

/// A C++ number, or a truth value. Where a tensor is wanted it stands for one of rank 0 whose dtype
/// gives way to that of the tensors beside it, as in PyTorch: float32 + 1 is float32.
template <typename T>
concept Number = Integer<T> || std::floating_point<T> || std::same_as<T, bool> ||
    std::same_as<T, float16> || std::same_as<T, bfloat16>;

}  // namespace switchyard
