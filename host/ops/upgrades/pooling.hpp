#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// LpPool and GlobalLpPool before 2: `p` was a float.
void whole_power(NodeDraft& node);

/// RoiAlign before 16: coordinates were not shifted by half a pixel.
void output_half_pixel(NodeDraft& node);

}  // namespace switchyard
