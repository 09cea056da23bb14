// The op that some variants bring: Sum, of a domain of their own, which adds as Add does.
#pragma once

#include <switchyard/ops.h>

namespace fake {

// A sy_op_list as the variant words it.
const sy_extension* own_ops();

}  // namespace fake
