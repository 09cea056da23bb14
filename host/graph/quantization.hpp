#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "graph/graph.hpp"

namespace switchyard {

/// A scale and a zero point that are constant, of one number or one for each of several.
struct Quantization {
  Literal scale, zero_point;

  std::span<const float> scales() const { return scale.values<float>(); }
  float scale_of(std::size_t i) const { return scales()[scales().size() == 1 ? 0 : i]; }
};

/// Those of bytes of `dtype`, one number or one for each of `count`; nothing unless both are
/// constant and the scale is a usual number. One number has rank 0. `zero_point` may be kAbsent.
std::optional<Quantization> quantization_of(const Graph& graph, ValueId scale, ValueId zero_point,
                                            DType dtype, std::int64_t count);

/// True for an op of ONNX's own domain.
bool is_op(const Node& node, std::string_view name);

}  // namespace switchyard
