#pragma once

#include "ops/row.hpp"

namespace switchyard {

void slice_shape(Inference& node);
void split_shape(Inference& node);

/// A step of -1 makes a negative stride, whose offset is that of the first element taken.
std::optional<std::vector<ViewSpec>> slice_view(const Inference& node, const Dims& strides);
std::optional<std::vector<ViewSpec>> split_view(const Inference& node, const Dims& strides);

}  // namespace switchyard
