#include "ops/inference.hpp"

#include <switchyard/error.hpp>

#include <fmt/format.h>

#include "ops/op_error.hpp"
#include "ops/scalar_literal.hpp"

namespace switchyard {

namespace {

template <typename T, typename Convert>
std::vector<float> converted(const Literal& literal, Convert convert) {
  std::vector<float> result;
  result.reserve(static_cast<std::size_t>(literal.size()));
  for (T value : literal.values<T>()) result.push_back(convert(value));
  return result;
}

}  // namespace

std::optional<std::vector<std::int64_t>> Inference::ints(std::size_t i) const {
  if (const Literal* value = literal(i)) return value->to_int64s();
  return std::nullopt;
}

std::optional<std::vector<float>> Inference::floats(std::size_t i) const {
  const Literal* value = literal(i);
  if (!value) return std::nullopt;
  switch (value->dtype()) {
    case DType::float32: return converted<float>(*value, [](float x) { return x; });
    case DType::float64:
      return converted<double>(*value, [](double x) { return static_cast<float>(x); });
    case DType::float16: return converted<std::uint16_t>(*value, from_float16_bits);
    case DType::bfloat16: return converted<std::uint16_t>(*value, from_bfloat16_bits);
    default:
      fail(fmt::format("input {} holds {}, but floating-point numbers are needed", i,
                       name_of(value->dtype())));
  }
}

void Inference::set_bound(std::size_t output, Dims shape) {
  if (output >= outputs_.size()) return;
  outputs_[output].shape = std::move(shape);
  outputs_[output].bounded = true;
}

std::int64_t Inference::normalize_axis(std::int64_t axis, std::int64_t rank) const {
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  if (rank == 0) fail(fmt::format("axis {} names no dimension: the tensor has rank 0", axis));
  fail(fmt::format("axis {} lies outside [{}, {}] for rank {}", axis, -rank, rank - 1, rank));
}

void Inference::fail(const std::string& what) const {
  throw Error(ErrorKind::model, fmt::format("[{}] {}", op_, what));
}

void Inference::mismatch(const std::string& what) const {
  throw ShapeMismatch(fmt::format("[{}] {}", op_, what));
}

}  // namespace switchyard
