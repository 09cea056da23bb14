#include <cmath>
#include <limits>

#include "software/interpreter/elementwise.hpp"
#include "software/interpreter/numbers.hpp"

namespace mps::software::interpreter {

using seam::ElementType;

namespace {

struct Limits {
  int64_t least;
  int64_t most;
};

template <typename Integer>
constexpr Limits limits{std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()};

Limits limits_of(ElementType element) {
  switch (element) {
    case ElementType::int8: return limits<int8_t>;
    case ElementType::uint8: return limits<uint8_t>;
    case ElementType::int16: return limits<int16_t>;
    case ElementType::int32: return limits<int32_t>;
    default: return limits<int64_t>;
  }
}

// Towards zero. Where C++ leaves the result open, as Metal's conversions do: what is too large
// becomes the nearest integer there is, and NaN 0.
int64_t integer_of(float number, const Limits& limits) {
  if (std::isnan(number)) return 0;
  // Converted to float, the largest integers round up to a power of 2 that is out of range.
  if (number >= static_cast<float>(limits.most)) return limits.most;
  if (number <= static_cast<float>(limits.least)) return limits.least;
  return static_cast<int64_t>(number);
}

template <typename From, typename To, typename Convert>
Value converted(const Value& x, const seam::TensorType& type, Convert convert) {
  const Numbers<From> numbers(x);
  Results<To> results(type, 0);
  for (int64_t i = 0; i < x.count(); ++i) results[i] = convert(numbers[i]);
  return results.rounded();
}

}  // namespace

Value cast(const Value& x, const seam::TensorType& type) {
  const bool from_float = is_float(x.type().element);
  const auto same = [](auto number) { return number; };
  if (x.type().element == type.element) return x;
  if (from_float && is_float(type.element)) return converted<float, float>(x, type, same);
  if (is_float(type.element)) {
    return converted<int64_t, float>(x, type,
                                     [](int64_t number) { return static_cast<float>(number); });
  }
  if (type.element == ElementType::boolean) {
    const auto truth = [](auto number) { return int64_t{number != 0}; };
    return from_float ? converted<float, int64_t>(x, type, truth)
                      : converted<int64_t, int64_t>(x, type, truth);
  }
  if (!from_float) return converted<int64_t, int64_t>(x, type, same);
  const Limits limits = limits_of(type.element);
  return converted<float, int64_t>(x, type,
                                   [&](float number) { return integer_of(number, limits); });
}

}  // namespace mps::software::interpreter
