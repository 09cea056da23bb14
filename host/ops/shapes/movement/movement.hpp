#pragma once

#include "ops/row.hpp"

// Ops that copy elements to other positions: joined, repeated, padded, reordered.
namespace switchyard {

void concat_shape(Inference& node);
/// Of every `step`-th input, from `first` on.
void concat_shape(Inference& node, std::size_t first, std::size_t step);

void tile_shape(Inference& node);
void pad_shape(Inference& node);
void center_crop_pad_shape(Inference& node);
void trilu_shape(Inference& node);
void depth_to_space_shape(Inference& node);
void space_to_depth_shape(Inference& node);
void reverse_sequence_shape(Inference& node);

/// Overlapping blocks added up into an image: [N, C * block, L] -> [N, C, image...].
void col2im_shape(Inference& node);

/// Output and mask have the input's shape.
void dropout_shape(Inference& node);

}  // namespace switchyard
