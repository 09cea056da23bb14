#pragma once

namespace switchyard {

/// Whether functions of this thread note what gradients need.
inline thread_local bool grad_mode = true;

}  // namespace switchyard
