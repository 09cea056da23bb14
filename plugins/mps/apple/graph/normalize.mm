#include "apple/graph/step.hpp"

namespace mps::apple {

MPSGraphTensor* normalize(const Step& step) {
  const seam::Normalization& normalization = step.attributes<seam::Normalization>();
  return [step.graph normalizationWithTensor:step.x()
                                  meanTensor:step.y()
                              varianceTensor:step.z()
                                 gammaTensor:step.operand(3)
                                  betaTensor:step.operand(4)
                                     epsilon:static_cast<float>(normalization.epsilon)
                                        name:nil];
}

}  // namespace mps::apple
