// refused: 'transposeTensor:permutation:name:' is only available on macOS 13.0 or newer
#include "apple/frameworks.hpp"

MPSGraphTensor* transpose(MPSGraph* graph, MPSGraphTensor* x) {
  return [graph transposeTensor:x permutation:@[ @1, @0 ] name:nil];
}
