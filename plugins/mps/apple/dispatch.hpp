// One dispatch into an encoder, after all that Metal would end the process for has been refused.
#pragma once

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

// Throws Failure(invalid). `group_memory_bytes` is DeviceInfo's.
void require_valid(const seam::Dispatch& dispatch, uint32_t group_memory_bytes);

// What require_valid() accepts.
void encode(id<MTLComputeCommandEncoder> encoder, const seam::Dispatch& dispatch);

}  // namespace mps::apple
