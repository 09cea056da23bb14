// The kernels of kernels/*.metal, compiled by the build, which writes the table.
#pragma once

#include <span>
#include <string_view>

#include "software/shim/interface.h"

namespace mps::software {

struct CompiledIn {
  std::string_view text;  // as kernel_sources() has it
  const msl::Library* library;
};

std::span<const CompiledIn> compiled_in();

}  // namespace mps::software
