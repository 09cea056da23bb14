#include "elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <switchyard/print.hpp>

#include "ops/scalar_literal.hpp"
#include "tensor/host_tensor.hpp"
#include "types/describe.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard::fuzz {
namespace {

float number(Dice& dice) {
  if (dice.one_in(16)) return telling_float(dice);
  return static_cast<float>(static_cast<int>(dice.below(33)) - 16) * 0.25F;
}

template <typename T>
void put(std::vector<std::byte>& bytes, std::size_t i, T value) {
  std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

void fill(std::vector<std::byte>& bytes, DType dtype, std::size_t count, Dice& dice) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t integer =
        dice.one_in(32) ? telling_integer(dice) : static_cast<std::int64_t>(dice.below(9)) - 2;
    switch (dtype) {
      case DType::float32: put(bytes, i, number(dice)); break;
      case DType::float64: put(bytes, i, static_cast<double>(number(dice))); break;
      case DType::float16: put(bytes, i, float16_bits(number(dice))); break;
      case DType::bfloat16: put(bytes, i, bfloat16_bits(number(dice))); break;
      case DType::int64:
      case DType::uint64: put(bytes, i, integer); break;
      case DType::int32:
      case DType::uint32: put(bytes, i, static_cast<std::int32_t>(integer)); break;
      case DType::int16:
      case DType::uint16: put(bytes, i, static_cast<std::int16_t>(integer)); break;
      case DType::bool_: put(bytes, i, static_cast<std::uint8_t>(integer & 1)); break;
      default: put(bytes, i, static_cast<std::uint8_t>(integer)); break;
    }
  }
}

Tensor random_text(const Dims& shape, std::size_t count, Dice& dice) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.emplace_back(dice.below(4), 'x');
  return host_texts(shape, std::move(texts));
}

// The bits of a NaN and the sign of a zero depend on the order of operands, which is not promised.
template <typename Bits>
bool are_same_numbers(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                      Bits exponent) {
  constexpr Bits without_sign = static_cast<Bits>(~Bits{0}) >> 1;
  for (std::size_t i = 0; i < a.size(); i += sizeof(Bits)) {
    Bits left, right;
    std::memcpy(&left, a.data() + i, sizeof(Bits));
    std::memcpy(&right, b.data() + i, sizeof(Bits));
    const Bits most = std::max<Bits>(left & without_sign, right & without_sign);
    const Bits least = std::min<Bits>(left & without_sign, right & without_sign);
    const bool are_nans_or_zeros = least > exponent || most == 0;
    if (left != right && !are_nans_or_zeros) return false;
  }
  return true;
}

bool are_same_numbers(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                      DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::complex64: return are_same_numbers<std::uint32_t>(a, b, 0x7f800000);
    case DType::float64:
    case DType::complex128: return are_same_numbers<std::uint64_t>(a, b, 0x7ff0000000000000);
    case DType::float16: return are_same_numbers<std::uint16_t>(a, b, 0x7c00);
    case DType::bfloat16: return are_same_numbers<std::uint16_t>(a, b, 0x7f80);
    default: return false;
  }
}

std::vector<double> numbers_of(const Tensor& x) {
  std::vector<double> numbers(static_cast<std::size_t>(x.size()));
  const Tensor wide = x.to(DType::float64).contiguous();
  wide.copy_to(numbers.data(), numbers.size() * sizeof(double));
  return numbers;
}

double largest_finite(const std::vector<double>& numbers, double largest) {
  for (const double number : numbers) {
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  }
  return largest;
}

struct Precision {
  double share;    // of its largest term by which a sum of some thousand may be off
  double largest;  // finite number
};

std::optional<Precision> precision_of(DType dtype) {
  switch (dtype) {
    case DType::float64: return Precision{1e-10, std::numeric_limits<double>::max()};
    case DType::float32: return Precision{1e-4, std::numeric_limits<float>::max()};
    case DType::float16: return Precision{2e-2, 65504};
    case DType::bfloat16: return Precision{1e-1, std::numeric_limits<float>::max()};
    default: return std::nullopt;
  }
}

}  // namespace

Tensor random_tensor(DType dtype, const Dims& shape, Dice& dice) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  if (dtype == DType::string) return random_text(shape, count, dice);
  const std::size_t size = byte_size(dtype, static_cast<std::int64_t>(count));
  std::vector<std::byte> bytes(size);
  const bool is_complex = dtype == DType::complex64 || dtype == DType::complex128;
  if (is_complex) {
    const DType part = dtype == DType::complex64 ? DType::float32 : DType::float64;
    fill(bytes, part, count * 2, dice);
  } else {
    fill(bytes, dtype, bit_width(dtype) < 8 ? size : count, dice);
  }
  return host_tensor_from_bytes(
      dtype, {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, shape);
}

bool are_identical(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.dtype() == DType::string) return a.to_texts() == b.to_texts();
  std::vector<std::byte> left(a.size_bytes()), right(b.size_bytes());
  a.copy_to(left.data(), left.size());
  b.copy_to(right.data(), right.size());
  return left == right || are_same_numbers(left, right, a.dtype());
}

namespace {

/// Two tensors of one type and shape.
bool are_alike(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && a.dtype() == b.dtype() && a.shape() == b.shape();
}

}  // namespace

bool differ_by_rounding(const Tensor& a, const Tensor& b, const std::vector<Tensor>& inputs) {
  if (!are_alike(a, b)) return false;
  const std::optional<Precision> precision = precision_of(a.dtype());
  if (!precision) return false;
  const std::vector<double> left = numbers_of(a), right = numbers_of(b);
  double term = largest_finite(right, largest_finite(left, 1));
  for (const Tensor& input : inputs) {
    if (input.defined() && precision_of(input.dtype()))
      term = largest_finite(numbers_of(input), term);
  }
  constexpr double kMostTerms = 1 << 14;
  constexpr double kHuge = 1e9;  // products of such numbers may cancel to anything far below them
  const double product = term * term;
  const bool may_overflow = product * kMostTerms >= precision->largest;
  const double most = precision->share * (term > kHuge ? product : term);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const bool are_finite = std::isfinite(left[i]) && std::isfinite(right[i]);
    const bool are_same = left[i] == right[i] || (std::isnan(left[i]) && std::isnan(right[i]));
    if (are_same || (!are_finite && may_overflow)) continue;
    if (!are_finite || std::abs(left[i] - right[i]) > most) return false;
  }
  return true;
}

std::string difference(const Tensor& a, const Tensor& b) {
  if (!are_alike(a, b)) return "in type or shape";
  const Tensor left = a.contiguous(), right = b.contiguous();
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const auto element = [i](const Tensor& x) { return x.as_strided({}, {}, i); };
    if (are_identical(element(left), element(right))) continue;
    return fmt::format("{} {}, element {}: {} and {}", name_of(a.dtype()), describe(a.shape()), i,
                       to_string(element(left)), to_string(element(right)));
  }
  return "nowhere";
}

}  // namespace switchyard::fuzz
