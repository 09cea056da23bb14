#pragma once

#include "ops/inference.hpp"

namespace switchyard {

void resize_shape(Inference& node);
/// [N, C, ...] sampled at a grid of positions [N, ..., spatial rank].
void grid_sample_shape(Inference& node);
/// Positions for each element of an output of the given size: [N, (D,) H, W, spatial rank].
void affine_grid_shape(Inference& node);

}  // namespace switchyard
