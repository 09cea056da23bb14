#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace demo {

/// The grey pictures of a data set in MNIST's form, with their labels.
struct PictureSet {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint8_t> pixels;  // picture after picture, row by row
  std::vector<std::uint8_t> labels;

  std::size_t size() const { return labels.size(); }
  std::span<const std::uint8_t> picture(std::size_t i) const {
    return std::span(pixels).subspan(i * rows * columns, rows * columns);
  }
};

/// Reads PREFIX-images-idx3-ubyte.gz and PREFIX-labels-idx1-ubyte.gz of a folder. Throws
/// std::runtime_error that names the file and says where to get it.
PictureSet read_pictures(const std::filesystem::path& folder, std::string_view prefix);

}  // namespace demo
