#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// Before 7 `output_sequence` said whether Y is wanted; now Y is left out where it is not.
void drop_output_sequence(NodeDraft& node);

}  // namespace switchyard
