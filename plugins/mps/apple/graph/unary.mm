#include "apple/graph/step.hpp"

namespace mps::apple {

MPSGraphTensor* unary(const Step& step) {
  MPSGraph* graph = step.graph;
  MPSGraphTensor* x = step.x();
  switch (step.node.operation) {
    case seam::Operation::absolute: return [graph absoluteWithTensor:x name:nil];
    case seam::Operation::ceiling: return [graph ceilWithTensor:x name:nil];
    case seam::Operation::cosine: return [graph cosWithTensor:x name:nil];
    case seam::Operation::error_function: return [graph erfWithTensor:x name:nil];
    case seam::Operation::exponential: return [graph exponentWithTensor:x name:nil];
    case seam::Operation::floor: return [graph floorWithTensor:x name:nil];
    case seam::Operation::hyperbolic_tangent: return [graph tanhWithTensor:x name:nil];
    case seam::Operation::is_nan: return [graph isNaNWithTensor:x name:nil];
    case seam::Operation::logarithm: return [graph logarithmWithTensor:x name:nil];
    case seam::Operation::logical_not: return [graph notWithTensor:x name:nil];
    case seam::Operation::negative: return [graph negativeWithTensor:x name:nil];
    case seam::Operation::reciprocal: return [graph reciprocalWithTensor:x name:nil];
    case seam::Operation::reciprocal_square_root:
      return [graph reverseSquareRootWithTensor:x name:nil];
    case seam::Operation::rectified_linear: return [graph reLUWithTensor:x name:nil];
    case seam::Operation::round_to_even: return [graph rintWithTensor:x name:nil];
    case seam::Operation::sigmoid: return [graph sigmoidWithTensor:x name:nil];
    case seam::Operation::sign: return [graph signWithTensor:x name:nil];
    case seam::Operation::sine: return [graph sinWithTensor:x name:nil];
    case seam::Operation::square_root: return [graph squareRootWithTensor:x name:nil];
    default: return nil;
  }
}

}  // namespace mps::apple
