#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {
namespace {

int64_t one_axis(const Step& step) {
  const std::vector<int64_t>& axes = step.attributes<seam::Axes>().axes;
  if (axes.size() != 1) refuse("this operation takes one axis");
  return axes[0];
}

MPSGraphTensor* clamp(const Step& step) {
  const bool floating = is_floating(step.node.type.element);
  return lesser(step.graph, greater(step.graph, step.x(), step.y(), floating), step.z(), floating);
}

MPSGraphTensor* concatenate(const Step& step) {
  NSMutableArray<MPSGraphTensor*>* parts = [NSMutableArray array];
  for (MPSGraphTensor* part : step.operands) [parts addObject:part];
  return [step.graph concatTensors:parts dimension:one_axis(step) name:nil];
}

MPSGraphTensor* gather(const Step& step) {
  return [step.graph gatherWithUpdatesTensor:step.x()
                               indicesTensor:step.y()
                                        axis:static_cast<NSUInteger>(one_axis(step))
                             batchDimensions:0
                                        name:nil];
}

}  // namespace

MPSGraphTensor* form(const Step& step) {
  MPSGraph* graph = step.graph;
  MPSShape* shape = metal_shape(step.node.type.shape);
  switch (step.node.operation) {
    case seam::Operation::select:
      return [graph selectWithPredicateTensor:step.x()
                          truePredicateTensor:step.y()
                         falsePredicateTensor:step.z()
                                         name:nil];
    case seam::Operation::clamp: return clamp(step);
    case seam::Operation::cast: return cast(step);
    case seam::Operation::reshape: return [graph reshapeTensor:step.x() withShape:shape name:nil];
    case seam::Operation::broadcast: return [graph broadcastTensor:step.x() toShape:shape name:nil];
    case seam::Operation::transpose: return transpose(step);
    case seam::Operation::concatenate: return concatenate(step);
    case seam::Operation::slice: return slice(step);
    case seam::Operation::pad: return pad(step);
    case seam::Operation::gather: return gather(step);
    default: return nil;
  }
}

}  // namespace mps::apple
