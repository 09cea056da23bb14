#include <algorithm>
#include <array>

#include "software/interpreter/movement.hpp"
#include "software/interpreter/numbers.hpp"

namespace mps::software::interpreter {

namespace {

constexpr int64_t outside = -1;

int64_t reflected(int64_t position, int64_t extent) {
  if (position < 0) return -position;
  return position >= extent ? 2 * (extent - 1) - position : position;
}

// For each position on an axis of the result, that on x's axis, or `outside`.
std::vector<int64_t> padding_sources(int64_t before, int64_t extent, int64_t after,
                                     seam::PaddingMode mode) {
  std::vector<int64_t> result;
  for (int64_t position = -before; position < extent + after; ++position) {
    switch (mode) {
      case seam::PaddingMode::constant:
        result.push_back(position < 0 || position >= extent ? outside : position);
        break;
      case seam::PaddingMode::reflect: result.push_back(reflected(position, extent)); break;
      case seam::PaddingMode::edge:
        result.push_back(std::clamp<int64_t>(position, 0, extent - 1));
        break;
    }
  }
  return result;
}

// One element that holds the padding's value.
Value padding_element(double value, seam::ElementType element) {
  const seam::TensorType type{element, {}};
  if (is_float(element)) return Results<float>(type, static_cast<float>(value)).rounded();
  return Results<int64_t>(type, static_cast<int64_t>(value)).rounded();
}

template <typename Bits>
void fill(const Value& x, const seam::Padding& padding, Bits element, Value& result) {
  const Shape& shape = result.shape();
  const Shape own = strides_of(x.shape());
  std::vector<std::vector<int64_t>> maps;
  for (size_t i = 0; i < shape.size(); ++i) {
    maps.push_back(
        padding_sources(padding.before[i], x.shape()[i], padding.after[i], padding.mode));
  }
  std::vector<size_t> index(shape.size(), 0);
  for (int64_t next = 0; next < result.count(); ++next) {
    int64_t source = 0;
    bool inside = true;
    for (size_t i = 0; i < shape.size() && inside; ++i) {
      inside = maps[i][index[i]] != outside;
      source += maps[i][index[i]] * own[i];
    }
    store(result.storage(), next, inside ? load<Bits>(x.data(), source) : element);
    for (size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < maps[i].size()) break;
      index[i] = 0;
    }
  }
}

}  // namespace

Value pad(const Value& x, const seam::Padding& padding, const seam::TensorType& type) {
  Value result(type);
  const Value element = padding_element(padding.value, type.element);
  with_bits_of(type.element, [&](auto bits) {
    fill(x, padding, load<decltype(bits)>(element.data(), 0), result);
  });
  return result;
}

}  // namespace mps::software::interpreter
