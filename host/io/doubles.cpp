#include "io/doubles.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "ops/scalar_literal.hpp"
#include "types/small_floats.hpp"

namespace switchyard {
namespace {

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

std::vector<double> from_integers(const Literal& literal) {
  const std::vector<std::int64_t> integers = literal.to_int64s();
  return {integers.begin(), integers.end()};
}

std::vector<double> from_small_floats(const Literal& literal) {
  const DType dtype = literal.dtype();
  std::vector<double> elements;
  elements.reserve(static_cast<std::size_t>(literal.size()));
  for (std::int64_t i = 0; i < literal.size(); ++i) {
    const auto code = bit_width(dtype) < 8 ? static_cast<std::uint8_t>(literal.packed_bits(i))
                                           : std::to_integer<std::uint8_t>(literal.bytes()[i]);
    elements.push_back(from_small_float(dtype, code));
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
    case DType::float4e2m1:
    case DType::float8e8m0:
    case DType::float8e4m3fn:
    case DType::float8e4m3fnuz:
    case DType::float8e5m2:
    case DType::float8e5m2fnuz: return from_small_floats(literal);
    case DType::string:
    case DType::undefined: break;
  }
  throw Error(ErrorKind::unsupported,
              fmt::format("elements of {} are not numbers", name_of(literal.dtype())));
}

}  // namespace switchyard
