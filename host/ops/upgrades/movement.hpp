#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// Reshape before 5: the shape was an attribute.
void shape_to_input(NodeDraft& node);

/// Squeeze and Unsqueeze before 13: axes were an attribute.
void view_axes_to_input(NodeDraft& node);

/// Slice before 10: starts, ends and axes were attributes.
void slice_attributes_to_inputs(NodeDraft& node);

/// Split-1: the lengths were an attribute, or an optional input of the data's type.
void first_split_to_input(NodeDraft& node);

/// Split before 13: the lengths were an attribute.
void split_to_input(NodeDraft& node);

/// Split before 18: equal parts were counted by the outputs.
void count_split_outputs(NodeDraft& node);

/// Pad before 11: pads and value were attributes; Pad-1 called the former `paddings`.
void first_pads_to_pads(NodeDraft& node);
void pads_to_input(NodeDraft& node);

/// Tile-1: one axis, repeated so often; both were inputs of the data's type.
void first_tile_to_repeats(NodeDraft& node);

/// Concat-1 took axis 1 for granted.
void default_axis_one(NodeDraft& node);

/// TopK before 10: k was an attribute.
void k_to_input(NodeDraft& node);

/// Scatter went on as ScatterElements.
void scatter_to_elements(NodeDraft& node);

/// Dropout before 12: the ratio was an attribute, and `is_test` said whether anything is dropped.
void ratio_to_input(NodeDraft& node);

/// Dropout before 10: the mask was of the data's type.
void dropout_mask_to_bool(NodeDraft& node);

/// Dropout-7 and 10: inference only.
void inference_ratio_to_input(NodeDraft& node);

}  // namespace switchyard
