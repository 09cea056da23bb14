#pragma once

#include "ops/row.hpp"

// Ops that choose elements. Where the choice depends on values, the extents are upper bounds.
namespace switchyard {

void compress_shape(Inference& node);
void unique_shape(Inference& node);
void non_zero_shape(Inference& node);
void top_k_shape(Inference& node);
void non_max_suppression_shape(Inference& node);

}  // namespace switchyard
