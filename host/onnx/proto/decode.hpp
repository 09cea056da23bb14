#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "onnx/proto/messages.hpp"

namespace switchyard::onnx {

struct DecodeLimits {
  int nesting = 100;  // messages in messages, as protobuf counts them; a body takes three
  std::int64_t nodes = INT64_MAX;  // of all graphs and functions in the file
  // Of what is made of the bytes, apart from texts and raw data: a field of two bytes may become a
  // message of hundreds.
  std::uint64_t memory = UINT64_MAX;
};

/// The message that the bytes hold in protobuf's wire format. Tensors' raw data are not copied:
/// they share the bytes. `file` and `what` ("ONNX model") name the bytes in messages. Throws
/// Error(model), which names the field and its position, where the bytes are cut short or damaged,
/// hold a field that ONNX 1.22 does not define, or pass a limit.
///
/// For ModelProto, GraphProto, TensorProto, SequenceProto and OptionalProto.
template <typename Message>
Message decode(const SharedBytes& bytes, const std::string& file, std::string_view what,
               const DecodeLimits& limits = {});

}  // namespace switchyard::onnx
