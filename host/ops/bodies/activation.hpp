#pragma once

#include <string_view>
#include <vector>

#include "ops/bodies/body_text.hpp"

namespace switchyard {

/// Adds `result`, the activation that a fused op names, of `input`. `parameters` are the numbers
/// that the activation takes, in its own order; there are exactly as many, or the node is refused.
/// An empty name leaves the input as it is.
void add_activation(BodyText& body, const Inference& node, std::string_view activation,
                    const std::vector<float>& parameters, std::string_view result,
                    std::string_view input);

}  // namespace switchyard
