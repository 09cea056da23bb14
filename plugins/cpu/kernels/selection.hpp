// Which row of the kernel tables a node gets.
#pragma once

#include "run/kernel.hpp"
#include "switchyard/plugin/claims.hpp"

namespace cpu {

// One claim a row, in the tables' order. Lives for ever.
const sy::ClaimTable& all_claims();

// The first row that fits the node and whose check lets it pass. Throws sy::unsupported with the
// reason of the row that came nearest.
const KernelRow& select_row(const sy::Node& node);

}  // namespace cpu
