// Ops that change how elements are seen and not what they are: Reshape, Transpose, Slice and the
// like. Inside of programs they cost nothing where strides, or a graph, can say what they do.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ops/building/graph_builder.hpp"
#include "runtime/tensor.hpp"
#include "switchyard/plugin/program.hpp"

namespace mps {

// How output is seen in input 0.
struct View {
  enum class Kind : uint8_t { reshape, transpose, slice, broadcast };

  Kind kind = Kind::reshape;
  std::vector<int64_t> shape;   // of the result
  std::vector<int64_t> axes;    // transpose: axis i of the result is axis axes[i] of the input
  std::vector<int64_t> starts;  // slice: of each axis
  std::vector<int64_t> steps;
};

bool is_view(const sy::Node& node);

// Throws sy::unsupported where what it needs is not known: shapes, starts, sizes.
View view_of(const sy::Node& node, uint32_t output);

// The strides in which the elements of (shape, strides) are seen in `wanted`, which has as many;
// nothing if no strides do it.
std::optional<sy::Dimensions> reshaped_strides(sy::Extents shape, sy::Extents strides,
                                               sy::Extents wanted);

// Shape and strides, in elements, and how many elements after the start the first one lies.
struct Layout {
  sy::Dimensions shape;
  sy::Dimensions strides;
  int64_t offset = 0;
};
// False, and nothing done, if no strides show a reshaped tensor.
bool see(const View& view, Layout& layout);

// The view of a graph's node.
uint32_t lower_view(GraphBuilder& graph, uint32_t node, const View& view);

}  // namespace mps
