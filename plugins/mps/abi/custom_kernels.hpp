// Kernels that users write, in the Metal Shading Language.
#pragma once

#include <switchyard/kernels.h>

namespace mps {

// The link of the table's extension chain; lives for ever.
const sy_kernel_compiler& kernel_compiler();

}  // namespace mps
