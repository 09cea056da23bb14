#pragma once

#include "ops/inference.hpp"

namespace switchyard {

void batch_normalization_shape(Inference& inference);

/// InstanceNormalization and GroupNormalization: scale and bias have one number a channel.
void channel_normalization_shape(Inference& inference);

void layer_normalization_shape(Inference& inference);

/// Mean and InvStdDev have the type that `stash_type` names.
void layer_normalization_type(Inference& inference);

void group_normalization_shape(Inference& inference);

}  // namespace switchyard
