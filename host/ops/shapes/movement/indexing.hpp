#pragma once

#include "ops/row.hpp"

namespace switchyard {

void gather_shape(Inference& node);
void gather_elements_shape(Inference& node);
void gather_nd_shape(Inference& node);
void scatter_elements_shape(Inference& node);
void scatter_nd_shape(Inference& node);

}  // namespace switchyard
