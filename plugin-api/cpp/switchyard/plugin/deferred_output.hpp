/// @file
/// Outputs whose shape only the run shows.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/shape.hpp"

namespace sy {

/// What allocate_output() gives.
struct OutputStorage {
  sy_storage storage = 0;     ///< the storage
  uint64_t offset_bytes = 0;  ///< of the first element
};

/// Asks the host for the storage of a deferred output, by its position among the program's outputs:
/// once each, within `run`, on its thread. Throws what the host answers.
inline OutputStorage allocate_output(const sy_run_args& args, uint32_t output, Extents shape) {
  if (args.allocator == nullptr) throw invalid("the host gave no allocator for output ", output);
  OutputStorage given;
  const sy_status status =
      args.allocator->allocate(args.allocator->context, output, static_cast<uint32_t>(shape.size()),
                               shape.data(), &given.storage, &given.offset_bytes);
  if (status == SY_OK) return given;
  throw Failure(status, SY_REASON_NONE,
                text("the host gave no storage for output ", output, " of shape ", shape));
}

}  // namespace sy
