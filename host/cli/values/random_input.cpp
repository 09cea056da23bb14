#include "cli/values/random_input.hpp"

#include <fmt/format.h>

#include <random>
#include <switchyard/error.hpp>

#include "ops/scalar_literal.hpp"

namespace switchyard::cli {
namespace {

/// Not the standard's distributions, whose numbers differ between its implementations.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : engine_(seed) {}
  double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }

 private:
  std::mt19937_64 engine_;
};

template <typename T, typename Draw>
void fill(Literal& literal, Draw draw) {
  T* element = reinterpret_cast<T*>(literal.mutable_bytes());
  for (std::int64_t i = 0; i < literal.size(); ++i) element[i] = static_cast<T>(draw());
}

/// Only positive numbers: the highest bit of an element may be a sign.
void fill_packed(Literal& literal, RandomNumbers& random) {
  const int bits = bit_width(literal.dtype());
  const std::uint64_t limit = std::uint64_t{1} << (bits - 1);
  for (std::size_t i = 0; i < literal.size_bytes(); ++i) {
    std::uint64_t byte = 0;
    for (int position = 0; position < 8; position += bits) byte |= random.below(limit) << position;
    literal.mutable_bytes()[i] = static_cast<std::byte>(byte);
  }
}

/// float32 rounds up to 1 what is nearest to it; 24 bits never are.
float single_fraction(RandomNumbers& random) {
  return static_cast<float>(random.below(std::uint64_t{1} << 24)) * 0x1p-24F;
}

}  // namespace

Literal random_literal(DType dtype, const Dims& shape, std::uint64_t seed) {
  Literal literal(dtype, shape);
  RandomNumbers random(seed);
  const auto digit = [&] { return random.below(10); };
  switch (dtype) {
    case DType::float32: fill<float>(literal, [&] { return single_fraction(random); }); break;
    case DType::float64: fill<double>(literal, [&] { return random.fraction(); }); break;
    // Eight bits of fraction are exact in both.
    case DType::float16:
      fill<std::uint16_t>(literal, [&] { return float16_bits(random.below(256) * 0x1p-8F); });
      break;
    case DType::bfloat16:
      fill<std::uint16_t>(literal, [&] { return bfloat16_bits(random.below(256) * 0x1p-8F); });
      break;
    case DType::bool_: fill<std::uint8_t>(literal, [&] { return random.below(2); }); break;
    case DType::int8:
    case DType::uint8: fill<std::uint8_t>(literal, digit); break;
    case DType::int16:
    case DType::uint16: fill<std::uint16_t>(literal, digit); break;
    case DType::int32:
    case DType::uint32: fill<std::uint32_t>(literal, digit); break;
    case DType::int64:
    case DType::uint64: fill<std::uint64_t>(literal, digit); break;
    case DType::int2:
    case DType::uint2:
    case DType::int4:
    case DType::uint4:
    case DType::float4e2m1: fill_packed(literal, random); break;
    default:
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("there are no random elements of {}", name_of(dtype)));
  }
  return literal;
}

}  // namespace switchyard::cli
