#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// Scan-8 scanned each item of a batch by itself. A batch of one item, all of it scanned, loses its
/// batch axis before and gets it back behind; others are refused.
void unbatch_scan(NodeDraft& node);

}  // namespace switchyard
