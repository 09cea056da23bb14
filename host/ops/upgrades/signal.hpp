#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// DFT before 20 had its axis as an attribute, 1 by default.
void dft_axis_to_input(NodeDraft& node);

}  // namespace switchyard
