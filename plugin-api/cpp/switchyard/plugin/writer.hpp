/// @file
/// Text of unknown length for the host, as `report` writes it.
#pragma once

#include <switchyard/plugin.h>

#include <string_view>

#include "switchyard/plugin/guard.hpp"

namespace sy {

/// Hands over one piece. Throws what the host answered if it wants no more.
inline void write(const sy_writer& writer, std::string_view piece) {
  const sy_status status = writer.write(writer.context, piece.data(), piece.size());
  if (status != SY_OK) throw Failure(status, SY_REASON_NONE, "the host stopped taking the report");
}

}  // namespace sy
