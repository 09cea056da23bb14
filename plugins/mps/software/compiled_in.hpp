// The kernels of kernels/*.metal, compiled by the build, which writes the table.
#pragma once

#include <string_view>
#include <vector>

#include "software/shim/interface.h"

namespace mps::software {

struct CompiledIn {
  std::string_view text;  // as kernel_sources() has it
  const msl::Library* library;
};

const std::vector<CompiledIn>& compiled_in();

}  // namespace mps::software
