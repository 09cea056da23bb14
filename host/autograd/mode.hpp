#pragma once

#include "device/thread_context.hpp"

namespace switchyard {

/// Whether functions of this thread record what gradients need.
inline bool grad_mode() { return thread_context.grad_mode; }

}  // namespace switchyard
