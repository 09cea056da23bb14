// Which row of the kernel tables a node gets.
#pragma once

#include <span>

#include "run/kernel.hpp"

namespace cpu {

// One claim a row, in the tables' order.
std::span<const sy_claim> all_claims();

// The first row that fits the node and whose check lets it pass. Throws sy::unsupported with the
// reason of the row that came nearest.
const KernelRow& select_row(const sy::Node& node);

}  // namespace cpu
