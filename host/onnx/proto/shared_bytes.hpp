#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace switchyard::onnx {

/// Bytes in memory that others may use too. Without an owner they are borrowed: whoever keeps them
/// longer than the call that they were given to makes a copy.
struct SharedBytes {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;

  bool empty() const { return bytes.empty(); }
  std::size_t size() const { return bytes.size(); }

  /// The bytes of a text, which they keep.
  static SharedBytes of(std::string text) {
    auto kept = std::make_shared<const std::string>(std::move(text));
    const auto bytes = std::as_bytes(std::span(*kept));
    return {std::move(kept), bytes};
  }
};

}  // namespace switchyard::onnx
