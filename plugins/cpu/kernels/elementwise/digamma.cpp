#include "kernels/elementwise/digamma.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace cpu {
namespace {

// By steps up to where the asymptotic series is exact enough.
double digamma_of_positive(double x) {
  double steps = 0;
  for (; x < 12; x += 1) steps += 1 / x;
  const double t = 1 / (x * x);
  constexpr double series[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
  double rest = 0;
  for (int i = 6; i >= 0; --i) rest = (rest + series[i]) * t;
  return std::log(x) - 0.5 / x - rest - steps;
}

// pi / tan(pi x), from the part of x beside an integer, which is exact.
double pi_by_tangent(double x) {
  return std::numbers::pi / std::tan(std::numbers::pi * (x - std::nearbyint(x)));
}

}  // namespace

double digamma(double x) {
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (x > 0) return digamma_of_positive(x);
  if (x == std::trunc(x)) return std::numeric_limits<double>::quiet_NaN();
  return digamma_of_positive(1 - x) - pi_by_tangent(x);
}

}  // namespace cpu
