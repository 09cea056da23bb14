#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {
namespace {

bool reduces_int64() {
  if (@available(macOS 13.3, *)) return true;
  return false;
}

MPSGraphTensor* softmax(const Step& step) {
  const std::vector<int64_t>& axes = step.attributes<seam::Axes>().axes;
  if (axes.size() != 1) refuse("softmax takes one axis");
  return [step.graph softMaxWithTensor:step.x() axis:axes[0] name:nil];
}

// The forms that let a NaN through take floats only.
MPSGraphTensor* extreme(const Step& step, NSArray<NSNumber*>* axes, bool largest) {
  MPSGraph* graph = step.graph;
  MPSGraphTensor* x = step.x();
  if (is_floating(step.node.type.element)) {
    return largest ? [graph reductionMaximumPropagateNaNWithTensor:x axes:axes name:nil]
                   : [graph reductionMinimumPropagateNaNWithTensor:x axes:axes name:nil];
  }
  return largest ? [graph reductionMaximumWithTensor:x axes:axes name:nil]
                 : [graph reductionMinimumWithTensor:x axes:axes name:nil];
}

}  // namespace

MPSGraphTensor* reduction(const Step& step) {
  MPSGraph* graph = step.graph;
  MPSGraphTensor* x = step.x();
  if (step.node.operation == seam::Operation::softmax) return softmax(step);
  if (step.type_of(0).element == seam::ElementType::int64 && !reduces_int64()) {
    refuse(seam::Fault::unsupported, "int64 is reduced wrongly before macOS 13.3");
  }
  const std::vector<int64_t>& given = step.attributes<seam::Axes>().axes;
  if (given.empty()) return [graph identityWithTensor:x name:nil];
  NSArray<NSNumber*>* axes = numbers(given);
  switch (step.node.operation) {
    case seam::Operation::sum: return [graph reductionSumWithTensor:x axes:axes name:nil];
    case seam::Operation::mean: return [graph meanOfTensor:x axes:axes name:nil];
    case seam::Operation::product: return [graph reductionProductWithTensor:x axes:axes name:nil];
    case seam::Operation::largest: return extreme(step, axes, true);
    case seam::Operation::smallest: return extreme(step, axes, false);
    default: return nil;
  }
}

}  // namespace mps::apple
