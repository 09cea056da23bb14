// refused: no visible @interface for 'MPSGraph' declares the selector 'sineWithTensor:name:'
#include "apple/frameworks.hpp"

MPSGraphTensor* sine(MPSGraph* graph, MPSGraphTensor* x) {
  return [graph sineWithTensor:x name:nil];
}
