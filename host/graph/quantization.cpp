#include "graph/quantization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace switchyard {
namespace {

bool is_byte(DType dtype) { return dtype == DType::int8 || dtype == DType::uint8; }

/// The literal of another shape with as many elements.
Literal reshaped(const Literal& literal, Dims shape) {
  return Literal(literal.dtype(), std::move(shape), literal.owner(), literal.bytes());
}

}  // namespace

std::optional<Quantization> quantization_of(const Graph& graph, ValueId scale_id, ValueId zero_id,
                                            DType dtype, std::int64_t count) {
  const std::optional<Literal>& scale = graph.values[scale_id].constant;
  if (!scale || scale->dtype() != DType::float32 || !is_byte(dtype)) return {};
  if (scale->size() != 1 && (scale->size() != count || scale->shape().size() != 1)) return {};
  const bool usable = std::ranges::all_of(scale->values<float>(), [](float number) {
    return std::isfinite(number) && number > std::numeric_limits<float>::min();
  });
  if (!usable) return {};
  const Dims shape = scale->size() == 1 ? Dims{} : scale->shape();
  if (zero_id == kAbsent) return Quantization{reshaped(*scale, shape), Literal(dtype, shape)};
  const std::optional<Literal>& zero = graph.values[zero_id].constant;
  if (!zero || zero->dtype() != dtype || zero->size() != scale->size()) return {};
  return Quantization{reshaped(*scale, shape), reshaped(*zero, shape)};
}

bool is_op(const Node& node, std::string_view name) {
  return node.op->row->domain.empty() && node.op->name() == name;
}

}  // namespace switchyard
