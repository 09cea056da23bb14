#include "io/doubles.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <switchyard/error.hpp>

#include "ops/scalar_literal.hpp"

namespace switchyard {
namespace {

/// One of ONNX's 8-bit floating-point types.
struct Float8Format {
  int mantissa_bits;
  int bias;
  bool is_fnuz;    // no infinities and no negative zero, whose bits are the only NaN
  bool is_finite;  // no infinities; all ones are NaN
};

Float8Format float8_format(DType dtype) {
  switch (dtype) {
    case DType::float8e4m3fn: return {3, 7, false, true};
    case DType::float8e4m3fnuz: return {3, 8, true, true};
    case DType::float8e5m2: return {2, 15, false, false};
    default: return {2, 16, true, true};
  }
}

double from_float8(std::uint8_t bits, const Float8Format& format) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const int mantissa_range = 1 << format.mantissa_bits;
  const int mantissa = bits & (mantissa_range - 1);
  const int exponent = (bits & 0x7f) >> format.mantissa_bits;
  const int largest_exponent = 0x7f >> format.mantissa_bits;
  const double sign = bits & 0x80 ? -1 : 1;
  if (format.is_fnuz && bits == 0x80) return nan;
  if (!format.is_fnuz && exponent == largest_exponent) {
    if (format.is_finite && mantissa == mantissa_range - 1) return nan;
    if (!format.is_finite) {
      return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : nan;
    }
  }
  const double fraction = static_cast<double>(mantissa) / mantissa_range;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - format.bias);
  return sign * std::ldexp(1 + fraction, exponent - format.bias);
}

template <typename T>
std::vector<double> convert(const Literal& literal, std::size_t parts = 1) {
  const T* first = reinterpret_cast<const T*>(literal.bytes());
  return {first, first + static_cast<std::size_t>(literal.size()) * parts};
}

template <typename Bits, typename Decode>
std::vector<double> decode(const Literal& literal, Decode decode_one) {
  std::vector<double> elements;
  elements.reserve(static_cast<std::size_t>(literal.size()));
  for (Bits bits : literal.values<Bits>()) elements.push_back(decode_one(bits));
  return elements;
}

double from_float8e8m0(std::uint8_t bits) {
  return bits == 0xff ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, bits - 127);
}

std::vector<double> from_integers(const Literal& literal) {
  const std::vector<std::int64_t> integers = literal.to_int64s();
  return {integers.begin(), integers.end()};
}

std::vector<double> from_float4s(const Literal& literal) {
  constexpr double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  std::vector<double> elements;
  for (std::int64_t i = 0; i < literal.size(); ++i) {
    const int bits = literal.packed_bits(i);
    elements.push_back(std::copysign(magnitudes[bits & 7], bits > 7 ? -1.0 : 1.0));
  }
  return elements;
}

}  // namespace

std::vector<double> to_doubles(const Literal& literal) {
  switch (literal.dtype()) {
    case DType::float32: return convert<float>(literal);
    case DType::float64: return convert<double>(literal);
    case DType::int8: return convert<std::int8_t>(literal);
    case DType::int16: return convert<std::int16_t>(literal);
    case DType::int32: return convert<std::int32_t>(literal);
    case DType::int64: return convert<std::int64_t>(literal);
    case DType::bool_:
    case DType::uint8: return convert<std::uint8_t>(literal);
    case DType::uint16: return convert<std::uint16_t>(literal);
    case DType::uint32: return convert<std::uint32_t>(literal);
    case DType::uint64: return convert<std::uint64_t>(literal);
    case DType::complex64: return convert<float>(literal, 2);
    case DType::complex128: return convert<double>(literal, 2);
    case DType::float16: return decode<std::uint16_t>(literal, from_float16_bits);
    case DType::bfloat16: return decode<std::uint16_t>(literal, from_bfloat16_bits);
    case DType::int2:
    case DType::uint2:
    case DType::int4:
    case DType::uint4: return from_integers(literal);
    case DType::float4e2m1: return from_float4s(literal);
    case DType::float8e8m0: return decode<std::uint8_t>(literal, from_float8e8m0);
    case DType::float8e4m3fn:
    case DType::float8e4m3fnuz:
    case DType::float8e5m2:
    case DType::float8e5m2fnuz: {
      const Float8Format format = float8_format(literal.dtype());
      return decode<std::uint8_t>(literal, [&](auto bits) { return from_float8(bits, format); });
    }
    case DType::string:
    case DType::undefined: break;
  }
  throw Error(ErrorKind::unsupported,
              fmt::format("elements of {} are no numbers", name_of(literal.dtype())));
}

}  // namespace switchyard
