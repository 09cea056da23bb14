#pragma once

#include <string_view>

namespace switchyard::cli::conform {

/// Whether the whole name is what the pattern says, in which each * stands for any text.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace switchyard::cli::conform
