/// @file
/// The C++ numbers that functions take. Truth values and characters are numbers to C++: here they
/// stand for one only where a comment says so.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <switchyard/element.hpp>
#include <switchyard/export.hpp>

namespace switchyard {

/// An integer: no truth value and no character.
template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !CharacterType<T>;

/// A constant of an unscoped enumeration, which C++ takes for an integer, too.
template <typename T>
concept Enumerator = std::is_enum_v<T> && std::convertible_to<T, std::int64_t>;

class Int;

namespace detail {
/// Throws Error(invalid_argument): what wraps round, as `list.size() - 1` of an empty list, would
/// count from the end.
[[noreturn]] SWITCHYARD_API void refuse_unsigned(std::uint64_t number);
}  // namespace detail

/// All else that would become an integer. Deleted overloads take it where an integer is a parameter
/// as it is, since there is an overload for tensors or dimensions, too.
template <typename T>
concept NotInteger = std::convertible_to<T, std::int64_t> && !Integer<T> && !Enumerator<T> &&
                     !std::same_as<std::remove_cvref_t<T>, Int>;

/// A double that no truth value and no character becomes: in `var(x, 0, false)` or
/// `dropout(x, true)` the truth value would count as a correction or a probability. Functions of
/// tensors, modules and optimizers take their numbers so.
class Real {
 public:
  /// Any number.
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
/// `keepdim`. Functions of tensors, modules and optimizers take their truth values so.
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
/// `x.topk(true)` do not compile. Functions of tensors, modules and optimizers take their counts,
/// sizes and positions so. These classes are for parameters alone: variables and fields of options
/// are plain numbers.
class Int {
 public:
  /// An integer. Throws Error(invalid_argument) for one above the largest std::int64_t.
  template <typename T>
  requires(Integer<T> || Enumerator<T>) constexpr Int(T value)
      : value_(static_cast<std::int64_t>(value)) {
    if constexpr (std::unsigned_integral<T> && sizeof(T) == sizeof(std::int64_t)) {
      if (value_ < 0) [[unlikely]]
        detail::refuse_unsigned(value);
    }
  }

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
