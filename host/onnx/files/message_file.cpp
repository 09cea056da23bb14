#include "onnx/files/message_file.hpp"

#include <fmt/format.h>

#include <system_error>

#include "io/file_error.hpp"
#include "io/mapped_file.hpp"

namespace switchyard {

onnx::SharedBytes map_message(const std::filesystem::path& path) try {
  std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  const std::span<const std::byte> bytes = file->bytes();
  if (bytes.empty()) refuse(path.string(), "the file is empty");
  return {std::move(file), bytes};
} catch (const std::system_error& error) {
  refuse_unreadable(path.string(), error.code());
}

}  // namespace switchyard
