#pragma once

namespace switchyard {

/// Whether functions of this thread record what gradients need.
inline thread_local bool grad_mode = true;

}  // namespace switchyard
