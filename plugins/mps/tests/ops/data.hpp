// Elements for tests, and walks over them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "case.hpp"

namespace mps::op_tests {

using Floats = std::vector<float>;
using Numbers = std::vector<int64_t>;

inline int64_t count_of(const Shape& shape) { return runtime_tests::contiguous(shape).count(); }

// From -9 to 9, in eighths for floats.
template <typename T>
std::vector<T> numbers(int64_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> distribution(-72, 72);
  constexpr bool is_float =
      std::is_floating_point_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat>;
  std::vector<T> made;
  for (int64_t i = 0; i < count; ++i) {
    const int number = distribution(random);
    if constexpr (is_float) {
      made.push_back(static_cast<T>(static_cast<float>(number) / 8));
    } else {
      made.push_back(static_cast<T>(std::is_unsigned_v<T> ? std::abs(number) : number / 8));
    }
  }
  return made;
}

// The same with NaN and infinities among them.
template <typename T>
std::vector<T> wild(int64_t count, unsigned seed = 1) {
  std::vector<T> made = numbers<T>(count, seed);
  std::mt19937 random(seed + 99);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float specials[] = {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, -0.0f};
  for (T& one : made) {
    if (random() % 6 == 0) one = static_cast<T>(specials[random() % 4]);
  }
  return made;
}

// From 0 to below `end`.
template <typename T>
std::vector<T> below(int64_t end, int64_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int64_t> distribution(0, end - 1);
  std::vector<T> made;
  for (int64_t i = 0; i < count; ++i) made.push_back(static_cast<T>(distribution(random)));
  return made;
}

// Calls visit(index) for each position, in row-major order.
template <typename Visit>
void each_position(const Shape& shape, Visit&& visit) {
  Shape index(shape.size(), 0);
  for (int64_t left = count_of(shape); left > 0; --left) {
    visit(static_cast<const Shape&>(index));
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
}

// Where a position is in row-major order.
inline size_t flat(const Shape& shape, const Shape& index) {
  int64_t position = 0;
  for (size_t i = 0; i < shape.size(); ++i) position = position * shape[i] + index[i];
  return static_cast<size_t>(position);
}

// As formulas compute.
template <typename T>
double wide(T number) {
  return static_cast<double>(static_cast<float>(number));
}

// The element of such a position.
template <typename T>
double wide_at(const std::vector<T>& x, const Shape& shape, const Shape& position) {
  return wide(x[flat(shape, position)]);
}

// An element for each position: make(index).
template <typename T, typename Make>
std::vector<T> made_by(const Shape& shape, Make&& make) {
  std::vector<T> elements;
  each_position(shape,
                [&](const Shape& index) { elements.push_back(static_cast<T>(make(index))); });
  return elements;
}

// Lines along an axis: join(line) gives a line, as long as it likes, that takes its place.
template <typename R, typename T, typename Join>
std::vector<R> by_line(const Shape& shape, const std::vector<T>& x, size_t axis, Join&& join) {
  Shape lead = shape;
  lead[axis] = 1;
  std::vector<std::vector<R>> lines;
  each_position(lead, [&](Shape index) {
    std::vector<T> line;
    for (index[axis] = 0; index[axis] < shape[axis]; ++index[axis]) {
      line.push_back(x[flat(shape, index)]);
    }
    lines.push_back(join(line));
  });
  Shape result = shape;
  result[axis] = lines.empty() ? 0 : static_cast<int64_t>(lines.front().size());
  return made_by<R>(result, [&](Shape index) {
    const auto along = static_cast<size_t>(index[axis]);
    index[axis] = 0;
    return lines[flat(lead, index)][along];
  });
}

}  // namespace mps::op_tests
