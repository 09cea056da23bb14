#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// PRelu before 7: a slope for each channel, dimension 1; now it broadcasts.
void slope_of_channels(NodeDraft& node);

/// Clip before 11: bounds were attributes.
void clip_bounds_to_inputs(NodeDraft& node);

}  // namespace switchyard
