#include "kernels/elementwise/erfinv.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace cpu {
namespace {

constexpr double half_root_of_pi = 0.5 / std::numbers::inv_sqrtpi;

// Formula 26.2.23 of Abramowitz and Stegun, three digits, for 1 - erf(y) = rest.
double first_guess(double rest) {
  const double t = std::sqrt(-2 * std::log(rest / 2));
  const double above = 2.515517 + t * (0.802853 + t * 0.010328);
  const double below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return (t - above / below) * std::numbers::sqrt2 / 2;
}

// Halley's method; what is missing is counted from 1 on where erf is too near to it.
double nearer(double y, double size) {
  const double miss = size < 0.5 ? std::erf(y) - size : 1 - size - std::erfc(y);
  const double step = miss * half_root_of_pi * std::exp(y * y);
  return y - step / (1 + y * step);
}

}  // namespace

double erfinv(double x) {
  const double size = std::fabs(x);
  if (size == 1) return std::copysign(std::numeric_limits<double>::infinity(), x);
  if (!(size < 1)) return std::numeric_limits<double>::quiet_NaN();
  const double near = size * half_root_of_pi * (1 + size * size * std::numbers::pi / 12);
  const double guess = size < 0.5 ? near : first_guess(1 - size);
  return std::copysign(nearer(nearer(guess, size), size), x);
}

}  // namespace cpu
