#include "apple/graph/step.hpp"

namespace mps::apple {

MPSGraphTensor* normalise(const Step& step) {
  const seam::Normalisation& normalisation = step.attributes<seam::Normalisation>();
  return [step.graph normalizationWithTensor:step.x()
                                  meanTensor:step.y()
                              varianceTensor:step.z()
                                 gammaTensor:step.operand(3)
                                  betaTensor:step.operand(4)
                                     epsilon:static_cast<float>(normalisation.epsilon)
                                        name:nil];
}

}  // namespace mps::apple
