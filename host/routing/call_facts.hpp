#pragma once

#include <string>

#include "routing/call.hpp"
#include "trace/timeline.hpp"

namespace switchyard {

/// What a timeline tells of a call on a device: op, node, device.
trace::Facts facts_of(const CallSite& site, const OpenDevice& device);

/// A tensor as a timeline shows it: "float32[2, 3]".
std::string describe(DType dtype, const Dims& shape);

}  // namespace switchyard
