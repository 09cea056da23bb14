// Every op of ONNX's default domain, opset 1 to 21, that computes on tensors.
#pragma once

#include "switchyard/plugin/claims.hpp"

namespace null {

// One row an op: any version, dtype, rank and strides, without asking further.
sy::ClaimTable make_claims();

}  // namespace null
