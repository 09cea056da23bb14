#pragma once

#include "ops/row.hpp"

namespace switchyard {

/// Gradients of convolution and pooling. Where the shape of the result is known, it is checked
/// against what the forward op makes of it.
void conv_input_gradient_shape(Inference& node);
void conv_weight_gradient_shape(Inference& node);
void max_pool_gradient_shape(Inference& node);
void max_pool_gather_shape(Inference& node);
void average_pool_gradient_shape(Inference& node);

}  // namespace switchyard
