#pragma once

#include "ops/row.hpp"

// Views that permute, repeat or pick axes and elements without changing what an element holds.
namespace switchyard {

void transpose_shape(Inference& node);
void expand_shape(Inference& node);

std::optional<std::vector<ViewSpec>> identity_view(const Inference& node, const Dims& strides);
std::optional<std::vector<ViewSpec>> transpose_view(const Inference& node, const Dims& strides);
std::optional<std::vector<ViewSpec>> expand_view(const Inference& node, const Dims& strides);

}  // namespace switchyard
