// The host's log, for what has no args at hand.
#pragma once

#include "switchyard/plugin/log.hpp"

namespace cpu {

// The entry keeps the host's in it.
sy::KeptLog& host_log();

}  // namespace cpu
