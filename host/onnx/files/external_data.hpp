#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/mapped_file.hpp"

namespace switchyard {

/// The files beside a model in which its large tensors lie. Each is mapped once, when first asked
/// for.
class ExternalData {
 public:
  /// `folder` is the model's own; empty: a model from memory, which has none.
  explicit ExternalData(std::filesystem::path folder) : folder_(std::move(folder)) {}

  struct Range {
    std::shared_ptr<const MappedFile> file;  // keeps the bytes alive
    std::span<const std::byte> bytes;
  };

  /// The bytes [offset, offset + length) of a file, to its end without a length. `location` is a
  /// path relative to the folder and may not lead out of it, not through a symbolic link either.
  /// Throws Error(model) that begins with `where`.
  Range range(const std::string& location, std::uint64_t offset,
              std::optional<std::uint64_t> length, const std::string& where);

 private:
  const std::shared_ptr<const MappedFile>& file(const std::string& location,
                                                const std::string& where);
  std::filesystem::path confined(const std::string& location, const std::string& where) const;

  std::filesystem::path folder_;
  std::map<std::string, std::shared_ptr<const MappedFile>> files_;
};

}  // namespace switchyard
