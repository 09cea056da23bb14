#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "onnx/proto/decode.hpp"

namespace switchyard {

/// The bytes of a file, mapped: the file must not be cut short as long as they are used. Throws
/// Error(model), naming the file.
onnx::SharedBytes map_message(const std::filesystem::path& path);

/// The message that a file holds, `what` in messages ("ONNX model").
template <typename Message>
Message decode_file(const std::filesystem::path& path, std::string_view what,
                    const onnx::DecodeLimits& limits = {}) {
  return onnx::decode<Message>(map_message(path), path.string(), what, limits);
}

}  // namespace switchyard
