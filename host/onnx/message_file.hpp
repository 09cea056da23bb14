#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace google::protobuf {
class MessageLite;
}

namespace switchyard {

/// Parses a file into a message, without a copy of the whole file in memory. Throws Error(model),
/// naming the file and what it should hold ("an ONNX model").
void parse_file(const std::filesystem::path& path, google::protobuf::MessageLite& message,
                const std::string& what);

/// The same from memory; `name` stands for the file.
void parse_bytes(std::span<const std::byte> bytes, google::protobuf::MessageLite& message,
                 const std::string& name, const std::string& what);

}  // namespace switchyard
