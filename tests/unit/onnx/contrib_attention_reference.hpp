// What the ops of attention of Microsoft's domain come to, as loops that follow their definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "onnx/contrib_models.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard::reference {

using Size = std::int64_t;

/// What is added to the score of a key for a query.
using Score = std::function<float(Size batch, Size head, Size query, Size key)>;

inline float at(const Floats& values, Size index) {
  return values[static_cast<std::size_t>(index)];
}

struct Shape {
  Size batch, heads, queries, keys, width, value_width;
};

/// q, k and v are [batch, length, heads * width]; so is the result.
inline Floats attention(const Shape& s, const Floats& q, const Floats& k, const Floats& v,
                        const Score& added, float scale = 0, Size key_heads = 0) {
  if (key_heads == 0) key_heads = s.heads;
  if (scale == 0) scale = 1 / std::sqrt(static_cast<float>(s.width));
  Floats result;
  for (Size b = 0; b < s.batch; ++b) {
    for (Size i = 0; i < s.queries; ++i) {
      for (Size h = 0; h < s.heads; ++h) {
        const Size group = h / (s.heads / key_heads);
        std::vector<double> weights;
        double most = -std::numeric_limits<double>::infinity(), sum = 0;
        for (Size j = 0; j < s.keys; ++j) {
          double score = 0;
          for (Size d = 0; d < s.width; ++d) {
            score += at(q, ((b * s.queries + i) * s.heads + h) * s.width + d) *
                     at(k, ((b * s.keys + j) * key_heads + group) * s.width + d);
          }
          weights.push_back(score * scale + added(b, h, i, j));
          most = std::max(most, weights.back());
        }
        for (double& weight : weights) sum += weight = std::exp(weight - most);
        for (Size d = 0; d < s.value_width; ++d) {
          double value = 0;
          for (Size j = 0; j < s.keys; ++j) {
            value += weights[static_cast<std::size_t>(j)] / sum *
                     at(v, ((b * s.keys + j) * key_heads + group) * s.value_width + d);
          }
          result.push_back(static_cast<float>(value));
        }
      }
    }
  }
  return result;
}

inline float none(Size, Size, Size, Size) { return 0; }

inline constexpr float kHidden = -std::numeric_limits<float>::infinity();

inline Tensor ints(const Dims& shape, const std::vector<std::int32_t>& values) {
  return host_tensor<std::int32_t>(shape, values);
}

/// From [batch, heads, length, width] to [batch, length, heads, width], and back.
inline Floats heads_swapped(const Floats& values, Size batch, Size heads, Size length, Size width) {
  Floats result;
  for (Size b = 0; b < batch; ++b) {
    for (Size i = 0; i < length; ++i) {
      for (Size h = 0; h < heads; ++h) {
        for (Size d = 0; d < width; ++d) {
          result.push_back(at(values, ((b * heads + h) * length + i) * width + d));
        }
      }
    }
  }
  return result;
}

/// A head's elements turned by the angles of a position, as halves or in pairs.
inline Floats rotated(const Floats& values, Size rows, Size heads, Size width,
                      const Floats& cosines, const Floats& sines, Size turned, bool pairs,
                      const std::vector<Size>& positions) {
  Floats result = values;
  for (Size row = 0; row < rows; ++row) {
    for (Size h = 0; h < heads; ++h) {
      const Size head = (row * heads + h) * width;
      for (Size i = 0; i < turned / 2; ++i) {
        const Size a = head + (pairs ? 2 * i : i), b = head + (pairs ? 2 * i + 1 : i + turned / 2);
        const Size angle = positions[static_cast<std::size_t>(row)] * (turned / 2) + i;
        const float c = at(cosines, angle), s = at(sines, angle);
        result[static_cast<std::size_t>(a)] = at(values, a) * c - at(values, b) * s;
        result[static_cast<std::size_t>(b)] = at(values, b) * c + at(values, a) * s;
      }
    }
  }
  return result;
}

}  // namespace switchyard::reference
