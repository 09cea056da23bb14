#pragma once

#include "ops/row.hpp"

// Ops that make a tensor out of a few numbers.
namespace switchyard {

void constant_of_shape_type(Inference& node);
void constant_of_shape_shape(Inference& node);

void range_shape(Inference& node);

void eye_like_type(Inference& node);
void eye_like_shape(Inference& node);

void one_hot_shape(Inference& node);

}  // namespace switchyard
