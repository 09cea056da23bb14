#include <cmath>
#include <limits>

#include "software/interpreter/numbers.hpp"
#include "software/interpreter/reduction.hpp"

namespace mps::software::interpreter {

namespace {

// Along `extent` numbers that are `step` apart.
void line(const float* numbers, float* results, int64_t extent, int64_t step) {
  float largest = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < extent; ++i) largest = std::fmax(largest, numbers[i * step]);
  double sum = 0;
  for (int64_t i = 0; i < extent; ++i) {
    results[i * step] = std::exp(numbers[i * step] - largest);
    sum += results[i * step];
  }
  for (int64_t i = 0; i < extent; ++i) {
    results[i * step] = static_cast<float>(results[i * step] / sum);
  }
}

}  // namespace

Value softmax(const Value& x, const seam::Axes& axes, const seam::TensorType& type) {
  const Numbers<float> numbers(x);
  Results<float> results(type, 0);
  const Lane lane = lane_of(x.shape(), axes.axes.front());
  for (int64_t before = 0; before < lane.before; ++before) {
    for (int64_t after = 0; after < lane.after; ++after) {
      const int64_t first = before * lane.extent * lane.after + after;
      line(numbers.data() + first, results.data() + first, lane.extent, lane.after);
    }
  }
  return results.rounded();
}

}  // namespace mps::software::interpreter
