// What results of normalizations are held against.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "harness/harness.hpp"
#include "harness/products.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {

inline Value random_value(sy_dtype dtype, const Shape& shape, double low = -2, double high = 3) {
  return from_doubles(dtype, shape, numbers_between(low, high, sy::element_count(shape)));
}

// The moments of the elements that `line_of` gives one number, in row-major order of the elements.
struct Normalized {
  std::vector<double> mean, variance;

  Normalized(const Value& input, int64_t lines, const std::function<int64_t(int64_t)>& line_of) {
    const std::vector<double> x = as_doubles(input);
    std::vector<double> count(static_cast<size_t>(lines), 0);
    mean = variance = count;
    for (size_t i = 0; i < x.size(); ++i) {
      mean[line_of(i)] += x[i];
      count[line_of(i)] += 1;
    }
    for (size_t k = 0; k < mean.size(); ++k) mean[k] /= count[k];
    for (size_t i = 0; i < x.size(); ++i)
      variance[line_of(i)] += std::pow(x[i] - mean[line_of(i)], 2);
    for (size_t k = 0; k < mean.size(); ++k) variance[k] /= count[k];
  }
};

// Results near 0 come of cancellation: they are held to the size of what was cancelled.
inline double slack(sy_dtype dtype) {
  switch (dtype) {
    case SY_FLOAT64: return 1e-13;
    case SY_FLOAT32: return 2e-6;
    case SY_FLOAT16: return 4e-3;
    default: return 4e-2;
  }
}

// Images of 6 channels.
inline const Shape image = {2, 6, 5, 7};
inline constexpr int64_t area = 35, channels = 6;

inline int64_t channel_of(int64_t i) { return i / area % channels; }

}  // namespace cpu::testing
