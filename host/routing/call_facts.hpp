#pragma once

#include <string>

#include "routing/call.hpp"
#include "trace/timeline.hpp"

namespace switchyard {

/// What a timeline tells of a call on a device: op, node, device.
trace::Facts facts_of(const CallSite& site, const OpenDevice& device);

}  // namespace switchyard
