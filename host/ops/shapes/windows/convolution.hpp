#pragma once

#include "ops/row.hpp"

namespace switchyard {

void conv_shape(Inference& node);
void conv_transpose_shape(Inference& node);
void deform_conv_shape(Inference& node);

}  // namespace switchyard
