#pragma once

#include <string>

#include "onnx/proto/messages.hpp"

namespace switchyard::onnx {

/// The message in protobuf's wire format, its fields in the order of their numbers. It must be
/// shorter than 4 GiB.
///
/// For ModelProto, TensorProto, SequenceProto and OptionalProto.
template <typename Message>
std::string encode(const Message& message);

}  // namespace switchyard::onnx
