#include "types/small_floats.hpp"

#include <cmath>
#include <limits>

namespace switchyard {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Format {
  int mantissa_bits;
  int bias;
  int sign;      // its bit
  int largest;   // the code of the largest number
  int nan;       // without the sign
  bool is_fnuz;  // no infinities and no negative zero, whose code is the only NaN
};

Format format_of(DType dtype) {
  switch (dtype) {
    case DType::float8e4m3fn: return {3, 7, 0x80, 0x7e, 0x7f, false};
    case DType::float8e4m3fnuz: return {3, 8, 0x80, 0x7f, 0x80, true};
    case DType::float8e5m2: return {2, 15, 0x80, 0x7b, 0x7f, false};
    case DType::float8e5m2fnuz: return {2, 16, 0x80, 0x7f, 0x80, true};
    default: return {1, 1, 0x8, 0x7, 0x8, false};
  }
}

/// Of a code without a sign, as if exponents went on past the largest.
double magnitude_of(const Format& format, int code) {
  const int range = 1 << format.mantissa_bits;
  const int exponent = code >> format.mantissa_bits, mantissa = code & (range - 1);
  const int significand = exponent == 0 ? mantissa : mantissa | range;
  const int scale = (exponent == 0 ? 1 : exponent) - format.bias - format.mantissa_bits;
  return std::ldexp(significand, scale);
}

int nearest_code(const Format& format, double magnitude) {
  for (int code = 0; code < format.largest; ++code) {
    const double middle = (magnitude_of(format, code) + magnitude_of(format, code + 1)) / 2;
    if (magnitude < middle || (magnitude == middle && code % 2 == 0)) return code;
  }
  return format.largest;
}

std::uint8_t power_code(double value) {
  constexpr int largest = 0xfe, nan = 0xff;
  if (std::isnan(value)) return nan;
  if (std::isinf(value)) return largest;
  int exponent = 0;  // the value is a fraction in [0.5, 1) times its power of two
  const double fraction = std::frexp(std::abs(value), &exponent);
  const int code = value == 0 ? 0 : exponent - 1 + 127 + (fraction > 0.5 ? 1 : 0);
  return static_cast<std::uint8_t>(code < 0 ? 0 : code > largest ? largest : code);
}

}  // namespace

double from_small_float(DType dtype, std::uint8_t code) {
  if (dtype == DType::float8e8m0) return code == 0xff ? kNaN : std::ldexp(1.0, code - 127);
  const Format format = format_of(dtype);
  if (format.is_fnuz && code == format.nan) return kNaN;
  const double sign = (code & format.sign) != 0 ? -1 : 1;
  const int magnitude = code & (format.sign - 1);
  if (magnitude <= format.largest) return sign * magnitude_of(format, magnitude);
  const bool is_infinity = dtype == DType::float8e5m2 && magnitude == format.largest + 1;
  return is_infinity ? sign * std::numeric_limits<double>::infinity() : kNaN;
}

std::uint8_t small_float_code(DType dtype, double value) {
  if (dtype == DType::float8e8m0) return power_code(value);
  const Format format = format_of(dtype);
  const int sign = std::signbit(value) ? format.sign : 0;
  if (std::isnan(value)) return static_cast<std::uint8_t>(sign | format.nan);
  const int code = nearest_code(format, std::abs(value));
  if (format.is_fnuz && code == 0) return 0;
  return static_cast<std::uint8_t>(sign | code);
}

}  // namespace switchyard
