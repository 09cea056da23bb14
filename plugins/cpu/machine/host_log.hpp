// The host's log.
#pragma once

#include <switchyard/plugin.h>

namespace cpu {

// The host's services live as long as the process.
void keep_log(const sy_host& host);

// Nothing before `keep_log`.
void warn(const char* message);

}  // namespace cpu
