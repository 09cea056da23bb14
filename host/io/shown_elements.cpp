#include "io/shown_elements.hpp"

#include <algorithm>

#include "io/doubles.hpp"

namespace switchyard {
namespace {

constexpr std::int64_t kMostShown = 1000;

Literal of_whole_bytes(const Literal& literal) {
  if (bit_width(literal.dtype()) == 0 || bit_width(literal.dtype()) >= 8) return literal;
  if (literal.dtype() == DType::float4e2m1) {
    const std::vector<double> values = to_doubles(literal);
    Literal floats(DType::float32, literal.shape());
    std::copy(values.begin(), values.end(), reinterpret_cast<float*>(floats.mutable_bytes()));
    return floats;
  }
  Literal bytes(DType::int8, literal.shape());
  const std::vector<std::int64_t> values = literal.to_int64s();
  std::transform(values.begin(), values.end(), bytes.mutable_bytes(),
                 [](std::int64_t value) { return static_cast<std::byte>(value); });
  return bytes;
}

/// Where each shown element lies among all, in order.
std::vector<std::int64_t> shown_places(const Dims& whole, const Dims& shown) {
  std::vector<std::int64_t> places{0};
  for (std::size_t dim = 0; dim < whole.size(); ++dim) {
    std::vector<std::int64_t> finer;
    for (const std::int64_t place : places) {
      for (std::int64_t i = 0; i < shown[dim]; ++i) {
        const bool is_last = i >= ShownElements::kEdge;
        finer.push_back(place * whole[dim] + (is_last ? whole[dim] - shown[dim] + i : i));
      }
    }
    places = std::move(finer);
  }
  return places;
}

Literal gathered(const Literal& literal, const std::vector<std::int64_t>& places, Dims shape) {
  if (literal.dtype() == DType::string) {
    std::vector<std::string> texts;
    for (const std::int64_t place : places) {
      texts.push_back(literal.strings()[static_cast<std::size_t>(place)]);
    }
    return Literal(std::move(shape), std::move(texts));
  }
  Literal picked(literal.dtype(), std::move(shape));
  const auto width = static_cast<std::int64_t>(byte_size(literal.dtype(), 1));
  std::byte* to = picked.mutable_bytes();
  for (const std::int64_t place : places) {
    to = std::copy_n(literal.bytes() + place * width, width, to);
  }
  return picked;
}

}  // namespace

ShownElements::ShownElements(const Literal& whole)
    : elements(of_whole_bytes(whole)), is_cut(whole.shape().size(), false) {
  if (whole.size() <= kMostShown) return;
  Dims shape = whole.shape();
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    is_cut[dim] = shape[dim] > 2 * kEdge;
    shape[dim] = std::min(shape[dim], 2 * kEdge);
  }
  elements = gathered(elements, shown_places(whole.shape(), shape), shape);
}

}  // namespace switchyard
