#include "kernels/linear_algebra/matrices.hpp"

#include "switchyard/plugin/text.hpp"

namespace cpu {

void check_matrices(const sy::Node& node) {
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    const sy_value& value = node.required_input(i);
    if (!sy::has_rank(value)) continue;
    const sy::Extents shape = sy::shape_of(value);
    for (const int64_t extent : shape.last(std::min<size_t>(2, shape.size()))) {
      lapack_extent(extent);
    }
  }
}

std::string name_of_matrix(sy::Extents shape, int64_t index) {
  const sy::Extents stack = shape.first(shape.size() - 2);
  if (stack.empty()) return "the matrix";
  sy::Dimensions at(stack);
  for (size_t axis = stack.size(); axis-- > 0;) {
    at[axis] = index % stack[axis];
    index /= stack[axis];
  }
  return sy::text("matrix ", sy::Extents(at), " of the stack");
}

std::vector<int64_t> broadcast_matrices(sy::Extents smaller, sy::Extents larger) {
  const sy::Extents from = smaller.first(smaller.size() - 2);
  const sy::Extents to = larger.first(larger.size() - 2);
  const sy::Dimensions strides = sy::broadcast_strides(from, nullptr, to);
  std::vector<int64_t> indices(static_cast<size_t>(sy::element_count(to)), 0);
  for (size_t i = 0; i < indices.size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    for (size_t axis = to.size(); axis-- > 0;) {
      indices[i] += rest % to[axis] * strides[axis];
      rest /= to[axis];
    }
  }
  return indices;
}

}  // namespace cpu
