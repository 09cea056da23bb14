#pragma once

#include <onnx/onnx_pb.h>

#include "dice.hpp"

namespace switchyard::fuzz {

/// Makes one change somewhere in a model: a node, a tensor, a declared type, a graph's lists, a
/// function, a version.
void mutate_model(onnx::ModelProto& model, Dice& dice);

/// Puts nodes of `other`, with the constants and inputs that they read, into `model`.
void splice(onnx::ModelProto& model, const onnx::ModelProto& other, Dice& dice);

}  // namespace switchyard::fuzz
