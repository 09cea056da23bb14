#include "difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace switchyard::random_programs {
namespace {

bool is_near(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::fabs(a - b) <= 1e-4F * (1 + std::max(std::fabs(a), std::fabs(b)));
}

}  // namespace

std::string difference(const Floats& expected, const Floats& found) {
  if (expected.size() != found.size()) {
    return fmt::format("{} elements instead of {}", found.size(), expected.size());
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_near(expected[i], found[i])) continue;
    return fmt::format("element {} of {} is {} instead of {}", i, found.size(), found[i],
                       expected[i]);
  }
  return "";
}

}  // namespace switchyard::random_programs
