#include <algorithm>
#include <cmath>
#include <vector>

#include "software/interpreter/image.hpp"
#include "software/interpreter/numbers.hpp"

namespace mps::software::interpreter {

namespace {

// Where an element of the result's axis takes its number from on x's axis.
struct Source {
  int64_t lower;
  int64_t upper;
  float share;  // of the upper one
};

double position_of(int64_t index, int64_t from, int64_t to, const seam::Resizing& resizing) {
  const auto i = static_cast<double>(index);
  const auto extent = static_cast<double>(from);
  if (resizing.align_corners) return to > 1 ? i * (extent - 1) / static_cast<double>(to - 1) : 0;
  if (resizing.centre) return (i + 0.5) * extent / static_cast<double>(to) - 0.5;
  return i * extent / static_cast<double>(to);
}

Source source_of(double position, int64_t extent, bool linear) {
  const double last = static_cast<double>(extent - 1);
  if (!linear) {
    // Halves go up, as MPSGraph's documentation has it.
    const auto nearest = static_cast<int64_t>(std::clamp(std::floor(position + 0.5), 0.0, last));
    return {nearest, nearest, 0};
  }
  const double inside = std::clamp(position, 0.0, last);
  const auto lower = static_cast<int64_t>(inside);
  return {lower, std::min(lower + 1, extent - 1),
          static_cast<float>(inside - static_cast<double>(lower))};
}

std::vector<Source> resizing_sources(int64_t from, int64_t to, const seam::Resizing& resizing) {
  std::vector<Source> result;
  for (int64_t i = 0; i < to; ++i) {
    result.push_back(source_of(position_of(i, from, to, resizing), from, resizing.linear));
  }
  return result;
}

// Takes nothing of the upper number where its share is 0, lest its NaN or infinity spread.
float mixed(float lower, float upper, float share) {
  return share == 0 ? lower : lower * (1 - share) + upper * share;
}

float along_row(const float* row, const Source& x) {
  return mixed(row[x.lower], row[x.upper], x.share);
}

}  // namespace

Value resize(const Value& x, const seam::Resizing& resizing, const seam::TensorType& type) {
  const Numbers<float> xs(x);
  Results<float> results(type, 0);
  const int64_t width = x.shape()[3];
  const std::vector<Source> rows = resizing_sources(x.shape()[2], type.shape[2], resizing);
  const std::vector<Source> columns = resizing_sources(width, type.shape[3], resizing);
  int64_t next = 0;
  for (int64_t plane = 0; plane < type.shape[0] * type.shape[1]; ++plane) {
    const float* from = xs.data() + plane * x.shape()[2] * width;
    for (const Source& y : rows) {
      for (const Source& column : columns) {
        results[next++] = mixed(along_row(from + y.lower * width, column),
                                along_row(from + y.upper * width, column), y.share);
      }
    }
  }
  return results.rounded();
}

}  // namespace mps::software::interpreter
