#include "io/shown_elements.hpp"

#include <algorithm>

#include "io/doubles.hpp"
#include "io/host_value.hpp"
#include "tensor/placement.hpp"

namespace switchyard {
namespace {

constexpr std::int64_t kMostShown = 1000;
constexpr std::int64_t kMostWritten = 1'000'000;  // dimensions of up to six are never cut

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
std::vector<std::int64_t> shown_positions(const Dims& whole, const Dims& shown) {
  std::vector<std::int64_t> positions{0};
  for (std::size_t dim = 0; dim < whole.size(); ++dim) {
    std::vector<std::int64_t> finer;
    for (const std::int64_t position : positions) {
      for (std::int64_t i = 0; i < shown[dim]; ++i) {
        const bool is_last = i >= ShownElements::kEdge;
        finer.push_back(position * whole[dim] + (is_last ? whole[dim] - shown[dim] + i : i));
      }
    }
    positions = std::move(finer);
  }
  return positions;
}

Literal gathered(const Literal& literal, const std::vector<std::int64_t>& positions, Dims shape) {
  if (literal.dtype() == DType::string) {
    std::vector<std::string> texts;
    for (const std::int64_t position : positions) {
      texts.push_back(literal.strings()[static_cast<std::size_t>(position)]);
    }
    return Literal(std::move(shape), std::move(texts));
  }
  Literal picked(literal.dtype(), std::move(shape));
  const auto width = static_cast<std::int64_t>(byte_size(literal.dtype(), 1));
  std::byte* to = picked.mutable_bytes();
  for (const std::int64_t position : positions) {
    to = std::copy_n(literal.bytes() + position * width, width, to);
  }
  return picked;
}

/// The edges of a tensor on a device: a view, in which a dimension that is cut is two, its ends and
/// the elements of each. Extents of 1 are left out, as a device takes only so many dimensions.
Literal edges_of(const Tensor& whole, const std::vector<bool>& is_cut, const Dims& shown) {
  const TensorRef base(whole.impl());
  Dims shape, strides;
  for (std::size_t dim = 0; dim < shown.size(); ++dim) {
    if (shown[dim] == 1) continue;
    if (is_cut[dim]) {
      shape.push_back(2);
      strides.push_back((base->shape[dim] - ShownElements::kEdge) * base->strides[dim]);
    }
    shape.push_back(is_cut[dim] ? ShownElements::kEdge : shown[dim]);
    strides.push_back(base->strides[dim]);
  }
  const Literal edges = literal_of(Tensor(make_view(base, shape, strides, 0).get()));
  return Literal(edges.dtype(), shown, edges.owner(), edges.bytes());
}

Literal whole_of(const Tensor& tensor) {
  CopyCount ignored;
  return read_to_host(TensorRef(tensor.impl()), ignored);
}

}  // namespace

ShownElements::ShownElements(const Tensor& whole) : is_cut(whole.shape().size(), false) {
  if (whole.size() <= kMostShown) {
    elements = of_whole_bytes(whole_of(whole));
    return;
  }
  Dims shape = whole.shape();
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    is_cut[dim] = shape[dim] > 2 * kEdge;
    shape[dim] = std::min(shape[dim], 2 * kEdge);
  }
  are_too_many = element_count(shape) > kMostWritten;
  if (are_too_many) return;
  // Elements that share bytes have no strides.
  const bool has_view = whole.impl()->device && bit_width(whole.dtype()) >= 8;
  elements = has_view ? edges_of(whole, is_cut, shape)
                      : gathered(of_whole_bytes(whole_of(whole)),
                                 shown_positions(whole.shape(), shape), shape);
}

}  // namespace switchyard
