#include "software/compile/files.hpp"

#include <fstream>
#include <iterator>

#include "seam/seam.hpp"

namespace mps::software {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string contents{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.good() && !file.eof()) {
    throw seam::Failure(seam::Fault::compilation, "cannot read " + path.string());
  }
  return contents;
}

void write_file(const std::filesystem::path& path, std::string_view contents) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  file.close();
  if (!file) throw seam::Failure(seam::Fault::compilation, "cannot write " + path.string());
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace mps::software
