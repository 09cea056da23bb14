// refused: cannot initialize a parameter of type 'MPSShape * _Nonnull'
#include "apple/frameworks.hpp"

MPSGraphTensor* reshape(MPSGraph* graph, MPSGraphTensor* x, MPSGraphTensor* shape) {
  return [graph reshapeTensor:x withShape:shape name:nil];
}
