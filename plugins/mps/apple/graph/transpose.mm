#include <utility>

#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {
namespace {

// Before macOS 13 only two axes change places at a time.
MPSGraphTensor* swap_into_order(const Step& step, const std::vector<int64_t>& axes) {
  MPSGraphTensor* tensor = step.x();
  std::vector<int64_t> order(axes.size());
  for (size_t axis = 0; axis < order.size(); ++axis) order[axis] = static_cast<int64_t>(axis);
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    size_t other = axis;
    while (order[other] != axes[axis]) ++other;
    if (other == axis) continue;
    tensor = [step.graph transposeTensor:tensor dimension:axis withDimension:other name:nil];
    std::swap(order[axis], order[other]);
  }
  return tensor;
}

void require_permutation(const std::vector<int64_t>& axes, size_t rank) {
  std::vector<bool> seen(rank, false);
  for (const int64_t axis : axes) {
    if (axis < 0 || static_cast<size_t>(axis) >= rank || seen[static_cast<size_t>(axis)]) {
      refuse("transpose: the axes are not a permutation");
    }
    seen[static_cast<size_t>(axis)] = true;
  }
  if (axes.size() != rank) refuse("transpose: the axes are not a permutation");
}

}  // namespace

MPSGraphTensor* transpose(const Step& step) {
  const std::vector<int64_t>& axes = step.attributes<seam::Axes>().axes;
  require_permutation(axes, step.type_of(0).shape.size());
  if (axes.size() < 2) return [step.graph identityWithTensor:step.x() name:nil];
  if (@available(macOS 13.0, *)) {
    return [step.graph transposeTensor:step.x() permutation:numbers(axes) name:nil];
  }
  MPSGraphTensor* swapped = swap_into_order(step, axes);
  return swapped == step.x() ? [step.graph identityWithTensor:swapped name:nil] : swapped;
}

}  // namespace mps::apple
