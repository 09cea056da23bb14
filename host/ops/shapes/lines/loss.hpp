#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: scores [N, C, d1, ...], labels [N, d1,
/// ...], weights [C]. The loss is a scalar, or has the labels' shape where `reduction` is none; a
/// second output has the scores' shape.
void loss_shape(Inference& inference);

}  // namespace switchyard
