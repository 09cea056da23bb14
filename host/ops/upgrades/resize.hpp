#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// Upsample-1: one scale for the height and one for the width of [N, C, H, W].
void sides_to_scales(NodeDraft& node);

/// Upsample before 9: scales were an attribute.
void scales_to_input(NodeDraft& node);

/// Upsample went on as Resize, with coordinates that divide by the scale.
void upsample_to_resize(NodeDraft& node);

/// Resize-10: scales were input 1, and coordinates divided by them; the nearest element was the one
/// before where an axis grew, and the one behind where it shrank.
void first_resize_to_regions(NodeDraft& node);

/// GridSample-16 called linear bilinear and cubic bicubic.
void plain_mode_names(NodeDraft& node);

}  // namespace switchyard
