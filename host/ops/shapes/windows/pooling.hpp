#pragma once

#include "ops/row.hpp"

namespace switchyard {

/// MaxPool, AveragePool; MaxPool's indices have the output's shape.
void pool_shape(Inference& node);

/// LpPool and GlobalLpPool: `p` is at least 1.
void lp_pool_shape(Inference& node);
void global_lp_pool_shape(Inference& node);

/// One element for each batch and channel; the spatial axes stay, with extent 1.
void global_pool_shape(Inference& node);

void max_unpool_shape(Inference& node);
void max_roi_pool_shape(Inference& node);
void roi_align_shape(Inference& node);

}  // namespace switchyard
