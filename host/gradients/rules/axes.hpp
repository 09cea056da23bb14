#pragma once

#include <cstdint>
#include <vector>

namespace switchyard {

/// The axes that are named, counted from the first, or all of them.
std::vector<std::int64_t> axes_or_all(std::vector<std::int64_t> axes, std::size_t rank);

}  // namespace switchyard
