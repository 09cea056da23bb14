#include "picture_set.hpp"

#include <zlib.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace demo {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kLabelsMagic = 0x801;
constexpr std::uint32_t kImagesMagic = 0x803;

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw std::runtime_error(file.string() + ": " + what +
                           "; install the package dataset-fashion-mnist, or set FASHION_MNIST to a "
                           "folder that holds the files");
}

std::vector<std::uint8_t> unpack(const fs::path& path) {
  if (!is_regular_file(path)) refuse(path, "is not a file");
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) refuse(path, "cannot be opened");
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> block(std::size_t{1} << 20);
  int count = 0;
  while ((count = gzread(file.get(), block.data(), static_cast<unsigned>(block.size()))) > 0) {
    bytes.insert(bytes.end(), block.begin(), block.begin() + count);
  }
  if (count < 0 || !gzeof(file.get())) refuse(path, "is damaged");
  return bytes;
}

std::uint32_t big_endian(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
         std::uint32_t{bytes[at + 2]} << 8 | bytes[at + 3];
}

/// An IDX file: a magic number, `rank` extents, then bytes, which stay in `bytes`.
std::vector<std::size_t> take_extents(const fs::path& path, std::uint32_t magic, std::size_t rank,
                                      std::vector<std::uint8_t>& bytes) {
  const std::size_t head = 4 + 4 * rank;
  if (bytes.size() < head || big_endian(bytes, 0) != magic) refuse(path, "is no such data set");
  std::vector<std::size_t> extents;
  std::size_t count = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    extents.push_back(big_endian(bytes, 4 + 4 * i));
    count *= extents.back();
  }
  if (bytes.size() - head != count) refuse(path, "is cut short");
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head));
  return extents;
}

}  // namespace

PictureSet read_pictures(const fs::path& folder, std::string_view prefix) {
  const fs::path images = folder / (std::string(prefix) + "-images-idx3-ubyte.gz");
  const fs::path labels = folder / (std::string(prefix) + "-labels-idx1-ubyte.gz");
  PictureSet set;
  set.pixels = unpack(images);
  const std::vector<std::size_t> extents = take_extents(images, kImagesMagic, 3, set.pixels);
  set.rows = extents[1];
  set.columns = extents[2];
  set.labels = unpack(labels);
  if (take_extents(labels, kLabelsMagic, 1, set.labels)[0] != extents[0]) {
    refuse(labels, "has another number of labels than there are pictures");
  }
  return set;
}

}  // namespace demo
