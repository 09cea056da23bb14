#pragma once

#include "ops/row.hpp"

// Ops that keep the elements and their order, and change only the shape.
namespace switchyard {

void reshape_shape(Inference& node);
void flatten_shape(Inference& node);
void squeeze_shape(Inference& node);
void unsqueeze_shape(Inference& node);

std::optional<std::vector<ViewSpec>> reshape_view(const Inference& node, const Dims& strides);
std::optional<std::vector<ViewSpec>> flatten_view(const Inference& node, const Dims& strides);
std::optional<std::vector<ViewSpec>> squeeze_view(const Inference& node, const Dims& strides);
std::optional<std::vector<ViewSpec>> unsqueeze_view(const Inference& node, const Dims& strides);

}  // namespace switchyard
