#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {

// As in C++, every number but zero is true; a conversion of MPSGraph's own might take the low byte.
MPSGraphTensor* cast(const Step& step) {
  const seam::ElementType from = step.type_of(0).element;
  const seam::ElementType to = step.node.type.element;
  if (to != seam::ElementType::boolean || from == seam::ElementType::boolean) {
    return [step.graph castTensor:step.x() toType:data_type(to) name:@"cast"];
  }
  MPSGraphTensor* zero = [step.graph constantWithScalar:0 dataType:data_type(from)];
  return [step.graph notEqualWithPrimaryTensor:step.x() secondaryTensor:zero name:nil];
}

}  // namespace mps::apple
