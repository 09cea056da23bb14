#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {

// The forms that let a NaN through take floats only.
MPSGraphTensor* lesser(MPSGraph* graph, MPSGraphTensor* x, MPSGraphTensor* y, bool floating) {
  if (!floating) return [graph minimumWithPrimaryTensor:x secondaryTensor:y name:nil];
  return [graph minimumWithNaNPropagationWithPrimaryTensor:x secondaryTensor:y name:nil];
}

MPSGraphTensor* greater(MPSGraph* graph, MPSGraphTensor* x, MPSGraphTensor* y, bool floating) {
  if (!floating) return [graph maximumWithPrimaryTensor:x secondaryTensor:y name:nil];
  return [graph maximumWithNaNPropagationWithPrimaryTensor:x secondaryTensor:y name:nil];
}

MPSGraphTensor* binary(const Step& step) {
  MPSGraph* graph = step.graph;
  MPSGraphTensor* x = step.x();
  MPSGraphTensor* y = step.y();
  const bool floating = is_floating(step.node.type.element);
  switch (step.node.operation) {
    case seam::Operation::add:
      return [graph additionWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::subtract:
      return [graph subtractionWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::multiply:
      return [graph multiplicationWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::divide:
      return [graph divisionWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::power: return [graph powerWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::minimum: return lesser(graph, x, y, floating);
    case seam::Operation::maximum: return greater(graph, x, y, floating);
    default: return nil;
  }
}

MPSGraphTensor* comparison(const Step& step) {
  MPSGraph* graph = step.graph;
  MPSGraphTensor* x = step.x();
  MPSGraphTensor* y = step.y();
  switch (step.node.operation) {
    case seam::Operation::equal: return [graph equalWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::not_equal:
      return [graph notEqualWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::less:
      return [graph lessThanWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::less_equal:
      return [graph lessThanOrEqualToWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::greater:
      return [graph greaterThanWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::greater_equal:
      return [graph greaterThanOrEqualToWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::logical_and:
      return [graph logicalANDWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::logical_or:
      return [graph logicalORWithPrimaryTensor:x secondaryTensor:y name:nil];
    case seam::Operation::logical_exclusive_or:
      return [graph logicalXORWithPrimaryTensor:x secondaryTensor:y name:nil];
    default: return nil;
  }
}

}  // namespace mps::apple
