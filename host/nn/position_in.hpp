#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace switchyard::nn {

/// The position that `index` of a list of `size` entries means: from 0, or from the end with -1.
/// Throws Error(invalid_argument) naming the list's class if there is none.
std::size_t position_in(std::string_view list, std::int64_t index, std::size_t size);

}  // namespace switchyard::nn
