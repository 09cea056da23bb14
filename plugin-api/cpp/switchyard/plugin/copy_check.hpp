/// @file
/// What a copy asks that this header does not know: to be refused before anything is enqueued.
#pragma once

#include <switchyard/plugin.h>

#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

namespace sy {

/// Throws sy::unsupported for an element type and for kinds of regions that are not known.
inline void require_known(const sy_copy_args& args) {
  if (dtype_bits(args.dtype) == 0) {
    throw unsupported(SY_REASON_DTYPE, "copy: there is no element type ", args.dtype);
  }
  for (const sy_region* region : {args.source, args.destination}) {
    if (region->kind >= SY_REGION_STORAGE && region->kind <= SY_REGION_PEER) continue;
    throw unsupported(SY_REASON_LIMIT, "copy: there is no region of kind ", region->kind);
  }
}

}  // namespace sy
