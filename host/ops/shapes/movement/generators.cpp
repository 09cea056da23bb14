#include "ops/shapes/movement/generators.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/dtype_attribute.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {

namespace {

/// The one element of an input, if it is known. float64 and int64 keep all their digits.
template <typename T>
std::optional<T> scalar(const Inference& node, std::size_t input) {
  const Literal* literal = node.literal(input);
  if (!literal) return std::nullopt;
  if (literal->dtype() == DType::float64) return static_cast<T>(literal->values<double>()[0]);
  if (is_floating(literal->dtype())) return static_cast<T>((*node.floats(input))[0]);
  return static_cast<T>((*node.ints(input))[0]);
}

std::int64_t integer_steps(const Inference& node, std::int64_t start, std::int64_t limit,
                           std::int64_t delta) {
  if (delta > 0 ? limit <= start : limit >= start) return 0;
  const auto from = static_cast<std::uint64_t>(start);
  const auto to = static_cast<std::uint64_t>(limit);
  const auto step = static_cast<std::uint64_t>(delta);
  const std::uint64_t distance = delta > 0 ? to - from : from - to;
  const std::uint64_t stride = delta > 0 ? step : 0 - step;
  const std::uint64_t count = (distance - 1) / stride + 1;
  if (count < static_cast<std::uint64_t>(kTooLarge)) return static_cast<std::int64_t>(count);
  node.fail(
      fmt::format("start {}, limit {} and delta {} make {} elements, more than a tensor holds",
                  start, limit, delta, count));
}

std::int64_t float_steps(const Inference& node, double start, double limit, double delta) {
  const double count = std::ceil((limit - start) / delta);
  if (!(count < 0x1p62)) {
    node.fail(
        fmt::format("start {}, limit {} and delta {} make no finite range", start, limit, delta));
  }
  return static_cast<std::int64_t>(std::max(count, 0.0));
}

template <typename T>
std::int64_t range_extent(const Inference& node) {
  const auto start = scalar<T>(node, 0);
  const auto limit = scalar<T>(node, 1);
  const auto delta = scalar<T>(node, 2);
  if (delta && *delta == 0) node.fail("delta is 0");
  if (!start || !limit || !delta) return kUnknown;
  if constexpr (std::is_integral_v<T>)
    return integer_steps(node, *start, *limit, *delta);
  else
    return float_steps(node, *start, *limit, *delta);
}

/// OneHot's depth, of any numeric type.
std::optional<std::int64_t> depth_of(const Inference& node) {
  require_one_element(node, 1, "depth");
  if (!is_floating(node.dtype(1))) {
    const auto depth = scalar<std::int64_t>(node, 1);
    if (depth && *depth < 0) node.fail(fmt::format("depth is {}", *depth));
    return depth;
  }
  const auto depth = scalar<double>(node, 1);
  if (!depth) return std::nullopt;
  if (!(*depth > -1 && *depth < 0x1p62)) node.fail(fmt::format("depth is {}", *depth));
  return static_cast<std::int64_t>(*depth);
}

}  // namespace

void constant_of_shape_type(Inference& node) {
  const AttributeValue* value = node.attributes().find("value");
  node.set_dtype(0, value ? std::get<Literal>(*value).dtype() : DType::float32);
}

void constant_of_shape_shape(Inference& node) {
  require_list(node, 0, "input");
  const AttributeValue* value = node.attributes().find("value");
  if (value && std::get<Literal>(*value).size() != 1) {
    node.mismatch(fmt::format("value must hold one element, not the shape {}",
                              describe(std::get<Literal>(*value).shape())));
  }
  if (const auto extents = node.ints(0)) {
    node.set_shape(0, named_shape(node, "the shape", *extents));
    return;
  }
  if (const auto shape = shape_of_rank(length_of(node, 0))) node.set_shape(0, *shape);
}

void range_shape(Inference& node) {
  require_one_element(node, 0, "start");
  require_one_element(node, 1, "limit");
  require_one_element(node, 2, "delta");
  const bool floating = is_floating(node.dtype(0));
  node.set_shape(0, {floating ? range_extent<double>(node) : range_extent<std::int64_t>(node)});
}

void eye_like_type(Inference& node) {
  node.set_dtype(0, dtype_attribute(node, "dtype").value_or(node.dtype(0)));
}

void eye_like_shape(Inference& node) {
  require_rank(node, 0, {2}, "a matrix");
  node.set_shape(0, node.has_rank(0) ? node.shape(0) : Dims{kUnknown, kUnknown});
}

void one_hot_shape(Inference& node) {
  const std::optional<std::int64_t> depth = depth_of(node);
  require_shape(node, 2, "values", {2}, "[off, on]");
  if (!node.has_rank(0)) return;
  Dims shape = node.shape(0);
  const std::int64_t axis =
      node.normalize_axis(node.attributes().get_int("axis", -1), node.rank(0) + 1);
  shape.insert(static_cast<std::size_t>(axis), depth.value_or(kUnknown));
  node.set_shape(0, std::move(shape));
}

}  // namespace switchyard
