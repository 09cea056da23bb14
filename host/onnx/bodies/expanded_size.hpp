#pragma once

#include "onnx/graph/reading.hpp"
#include "onnx/schema.hpp"

namespace switchyard {

/// Throws Error(model) if the model, with its functions in the place of their calls, has more nodes
/// or nests deeper than `reading.limits` allows. A call counts as a node, for reading it takes time
/// too. Functions that each call the next twice double a model at every level: a few kilobytes
/// would fill any memory. What reads the graph after this may recurse into bodies and functions.
void check_expanded_size(const Reading& reading, const onnx::GraphProto& graph);

}  // namespace switchyard
