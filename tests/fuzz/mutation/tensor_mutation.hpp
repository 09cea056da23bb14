#pragma once

#include <onnx/onnx_pb.h>

#include "dice.hpp"

namespace switchyard::fuzz {

/// Changes the type, an extent, the rank, an element or the number of bytes of a tensor.
void mutate_tensor(onnx::TensorProto& tensor, Dice& dice);

/// A small tensor of numbers that shapes, axes and scales are made of.
onnx::TensorProto new_tensor(Dice& dice);

/// Changes what a value is declared as.
void mutate_type(onnx::TypeProto& type, Dice& dice);

}  // namespace switchyard::fuzz
