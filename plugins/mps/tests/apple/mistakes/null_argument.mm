// refused: null passed to a callee that requires a non-null argument
#include "apple/frameworks.hpp"

MPSGraphTensor* cast(MPSGraph* graph, MPSGraphTensor* x) {
  return [graph castTensor:x toType:MPSDataTypeInt32 name:nil];
}
