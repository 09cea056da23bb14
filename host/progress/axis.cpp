#include "progress/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace switchyard {
namespace {

/// The smallest of 1, 2, 5, 10, 20, ... times a power of ten that is not below `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

Axis Axis::around(double low, double high, int marks, bool is_whole) {
  const double least = std::max({std::abs(low), std::abs(high), 1e-300}) * 1e-9;
  if (high - low < least) {  // all alike: some room on both sides
    const double room = low == 0 ? 1 : std::abs(low) / 2;
    low -= room;
    high += room;
  }
  Axis axis;
  axis.step = round_step((high - low) / marks);
  if (is_whole) axis.step = std::max(1.0, axis.step);
  axis.low = low;
  axis.high = high;
  return axis;
}

std::vector<double> Axis::marks() const {
  std::vector<double> marks;
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  for (double i = first; i <= last; ++i) marks.push_back(i * step + 0.0);  // no -0
  return marks;
}

std::string Axis::text(double mark) const {
  if (step >= 1e5 || step < 1e-4) return fmt::format("{:g}", mark);
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", mark, digits);
}

}  // namespace switchyard
