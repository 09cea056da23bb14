#pragma once

#include "onnx/reading.hpp"
#include "onnx/schema.hpp"

namespace switchyard {

/// Throws Error(model) if the model would have more nodes than any real one once its functions are
/// put in the place of their calls. Functions that each call the next twice double a model at every
/// level: a few kilobytes would fill any memory.
void check_expanded_size(const Reading& reading, const onnx::GraphProto& graph);

}  // namespace switchyard
