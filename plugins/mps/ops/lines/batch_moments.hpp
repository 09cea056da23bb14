// BatchNormalization with the statistics of the batch.
#pragma once

#include "ops/kernel.hpp"

namespace mps {

KernelRow batch_moments_row();

}  // namespace mps
