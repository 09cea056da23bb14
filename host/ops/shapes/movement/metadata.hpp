#pragma once

#include "ops/row.hpp"

// Shape, Size and Constant: their values follow from shapes and attributes alone.
namespace switchyard {

void shape_of_shape(Inference& node);
Literal shape_literal(const Inference& node);

void size_shape(Inference& node);
Literal size_literal(const Inference& node);

void constant_type(Inference& node);
void constant_shape(Inference& node);
Literal constant_literal(const Inference& node);

}  // namespace switchyard
