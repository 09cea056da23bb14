// Every op that computes on tensors, of every domain that the host has ops of.
#pragma once

#include "switchyard/plugin/claims.hpp"

namespace null {

// One row a domain: any op, version, dtype, rank and strides, without asking further.
sy::ClaimTable make_claims();

}  // namespace null
