// All headers of shim/ as one text, made by the build.
#pragma once

#include <string_view>

namespace mps::software {

std::string_view shim_text();

}  // namespace mps::software
