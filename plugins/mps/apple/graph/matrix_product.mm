#include <algorithm>

#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {
namespace {

// An operand with the leading extents of the result, which MPSGraph is not trusted to broadcast.
MPSGraphTensor* with_leading(const Step& step, size_t index) {
  MPSGraphTensor* tensor = step.operand(index);
  const std::vector<int64_t>& from = step.type_of(index).shape;
  std::vector<int64_t> aligned = from;
  std::vector<int64_t> to = step.node.type.shape;
  if (from.size() < 2 || to.size() < from.size()) refuse("matrix_product: matrices are needed");
  aligned.insert(aligned.begin(), to.size() - from.size(), 1);
  std::copy(from.end() - 2, from.end(), to.end() - 2);
  if (aligned != from) {
    tensor = [step.graph reshapeTensor:tensor withShape:metal_shape(aligned) name:nil];
  }
  if (to != aligned) {
    tensor = [step.graph broadcastTensor:tensor toShape:metal_shape(to) name:nil];
  }
  return tensor;
}

}  // namespace

MPSGraphTensor* matrix_product(const Step& step) {
  if (!is_floating(step.node.type.element)) {
    refuse(seam::Fault::unsupported, "MPSGraph has products of floats only");
  }
  return [step.graph matrixMultiplicationWithPrimaryTensor:with_leading(step, 0)
                                           secondaryTensor:with_leading(step, 1)
                                                      name:nil];
}

}  // namespace mps::apple
