#pragma once

#include "ops/row.hpp"

namespace switchyard {

void resize_shape(Inference& node);

/// Upsample: scales for every axis, as input 1.
void upsample_shape(Inference& node);

void grid_sample_shape(Inference& node);
void affine_grid_shape(Inference& node);

}  // namespace switchyard
