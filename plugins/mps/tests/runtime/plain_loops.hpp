// What ops give, by plain loops over contiguous tensors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "view.hpp"

namespace mps::runtime_tests {

using Floats = std::vector<float>;

inline Floats numbers(int64_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  Floats made(static_cast<size_t>(count));
  for (float& number : made) {
    number = static_cast<float>(static_cast<int>(random() % 41) - 20) / 8;
  }
  return made;
}

inline int64_t count_of(const Shape& shape) { return contiguous(shape).count(); }

inline Floats added(const Shape& left_shape, const Floats& left, const Shape& right_shape,
                    const Floats& right, const Shape& shape) {
  const auto spread = [&](const Shape& own) {
    View view = contiguous(own);
    Shape strides(shape.size() - own.size(), 0);
    for (size_t i = 0; i < own.size(); ++i) {
      strides.push_back(own[i] == 1 ? 0 : view.strides[i]);
    }
    view.shape = shape;
    view.strides = strides;
    return view.positions();
  };
  const auto left_positions = spread(left_shape), right_positions = spread(right_shape);
  Floats result;
  for (size_t i = 0; i < left_positions.size(); ++i) {
    result.push_back(left[static_cast<size_t>(left_positions[i])] +
                     right[static_cast<size_t>(right_positions[i])]);
  }
  return result;
}

// x as [outer, axis, inner].
struct Folded {
  int64_t outer, axis, inner;
};
inline Folded folded(const Shape& shape, size_t axis) {
  Folded result{1, shape[axis], 1};
  for (size_t i = 0; i < axis; ++i) result.outer *= shape[i];
  for (size_t i = axis + 1; i < shape.size(); ++i) result.inner *= shape[i];
  return result;
}

inline Floats summed(const Shape& shape, const Floats& x, size_t axis) {
  const Folded f = folded(shape, axis);
  Floats result;
  for (int64_t o = 0; o < f.outer; ++o) {
    for (int64_t i = 0; i < f.inner; ++i) {
      double sum = 0;
      for (int64_t a = 0; a < f.axis; ++a) {
        sum += x[static_cast<size_t>((o * f.axis + a) * f.inner + i)];
      }
      result.push_back(static_cast<float>(sum));
    }
  }
  return result;
}

inline Floats softened(const Shape& shape, const Floats& x, size_t axis) {
  const Folded f = folded(shape, axis);
  Floats result(x.size());
  for (int64_t o = 0; o < f.outer; ++o) {
    for (int64_t i = 0; i < f.inner; ++i) {
      const auto at = [&](int64_t a) {
        return static_cast<size_t>((o * f.axis + a) * f.inner + i);
      };
      double largest = -1e30, sum = 0;
      for (int64_t a = 0; a < f.axis; ++a) largest = std::max<double>(largest, x[at(a)]);
      for (int64_t a = 0; a < f.axis; ++a) sum += std::exp(x[at(a)] - largest);
      for (int64_t a = 0; a < f.axis; ++a) {
        result[at(a)] = static_cast<float>(std::exp(x[at(a)] - largest) / sum);
      }
    }
  }
  return result;
}

// [batch, m, k] x [batch, k, n].
inline Floats multiplied(const Floats& x, const Floats& y, int64_t batch, int64_t m, int64_t k,
                         int64_t n) {
  Floats result;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t row = 0; row < m; ++row) {
      for (int64_t column = 0; column < n; ++column) {
        double sum = 0;
        for (int64_t i = 0; i < k; ++i) {
          sum += double{x[static_cast<size_t>((b * m + row) * k + i)]} *
                 y[static_cast<size_t>((b * k + i) * n + column)];
        }
        result.push_back(static_cast<float>(sum));
      }
    }
  }
  return result;
}

inline Floats gathered(const Shape& shape, const Floats& x, size_t axis,
                       const std::vector<int64_t>& indices) {
  const Folded f = folded(shape, axis);
  Floats result;
  for (int64_t o = 0; o < f.outer; ++o) {
    for (const int64_t index : indices) {
      const int64_t a = index < 0 ? index + f.axis : index;
      for (int64_t i = 0; i < f.inner; ++i) {
        result.push_back(x[static_cast<size_t>((o * f.axis + a) * f.inner + i)]);
      }
    }
  }
  return result;
}

// x [1, c, h, w], weights [o, c, 3, 3], padding 1.
inline Floats convolved(const Floats& x, const Floats& weights, int64_t channels, int64_t height,
                        int64_t width, int64_t outputs) {
  Floats result;
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t row = 0; row < height; ++row) {
      for (int64_t column = 0; column < width; ++column) {
        double sum = 0;
        for (int64_t c = 0; c < channels; ++c) {
          for (int64_t dy = -1; dy <= 1; ++dy) {
            for (int64_t dx = -1; dx <= 1; ++dx) {
              const int64_t y = row + dy, z = column + dx;
              if (y < 0 || y >= height || z < 0 || z >= width) continue;
              sum += double{x[static_cast<size_t>((c * height + y) * width + z)]} *
                     weights[static_cast<size_t>(((o * channels + c) * 3 + dy + 1) * 3 + dx + 1)];
            }
          }
        }
        result.push_back(static_cast<float>(sum));
      }
    }
  }
  return result;
}

}  // namespace mps::runtime_tests
