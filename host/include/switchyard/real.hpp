#pragma once

#include <concepts>

namespace switchyard {

/// A double that no bool becomes: in `var(x, 0, false)` or `dropout(x, true)` the truth value would
/// count as a correction or a probability. Functions whose parameters are both take numbers so.
class Real {
 public:
  /// Any number but a bool.
  template <typename T>
  requires(std::integral<T> || std::floating_point<T>) &&
      (!std::same_as<T, bool>)constexpr Real(T value) : value_(static_cast<double>(value)) {}

  /// The number.
  constexpr operator double() const { return value_; }

 private:
  double value_;
};

}  // namespace switchyard
