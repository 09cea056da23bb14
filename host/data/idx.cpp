#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <switchyard/data/mnist.hpp>

#include "data/unpacked_file.hpp"
#include "io/file_error.hpp"
#include "io/file_shape.hpp"
#include "io/host_value.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constexpr std::size_t kMagicBytes = 4;

std::optional<DType> dtype_of_code(std::byte code) {
  switch (std::to_integer<int>(code)) {
    case 0x08: return DType::uint8;
    case 0x09: return DType::int8;
    case 0x0B: return DType::int16;
    case 0x0C: return DType::int32;
    case 0x0D: return DType::float32;
    case 0x0E: return DType::float64;
    default: return std::nullopt;
  }
}

std::int64_t big_endian(const std::byte* bytes) {
  std::int64_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::int64_t>(bytes[i]);
  return value;
}

Dims read_shape(UnpackedFile& file, std::size_t rank) {
  const std::vector<std::byte> bytes = file.read(4 * rank);
  if (bytes.size() < 4 * rank) refuse(file.name(), "it is cut short inside its head");
  std::vector<std::int64_t> extents;
  for (std::size_t i = 0; i < rank; ++i) extents.push_back(big_endian(bytes.data() + 4 * i));
  return checked_shape(extents, file.name());
}

void swap_bytes(std::vector<std::byte>& bytes, std::size_t width) {
  for (std::size_t i = 0; i + width <= bytes.size(); i += width) {
    std::reverse(bytes.data() + i, bytes.data() + i + width);
  }
}

}  // namespace

Tensor read_idx(const std::filesystem::path& path) {
  UnpackedFile file(path);
  const std::vector<std::byte> magic = file.read(kMagicBytes);
  const bool is_idx = magic.size() == kMagicBytes && magic[0] == std::byte{0} &&
                      magic[1] == std::byte{0} && dtype_of_code(magic[2]);
  if (!is_idx)
    refuse(file.name(), "it is not an IDX file; such files begin with two zeros and a type");
  const DType dtype = *dtype_of_code(magic[2]);
  const Dims shape = read_shape(file, std::to_integer<std::size_t>(magic[3]));
  const std::size_t size = byte_size(dtype, element_count(shape));
  std::vector<std::byte> elements = file.read(size);
  if (elements.size() < size) {
    refuse(file.name(), fmt::format("its head promises {} bytes, but {} follow; it is cut short",
                                    size, elements.size()));
  }
  if (!file.read(1).empty()) {
    refuse(file.name(), fmt::format("more follows than the {} bytes that its head promises; it is "
                                    "damaged",
                                    size));
  }
  swap_bytes(elements, byte_size(dtype, 1));
  return host_tensor_from_bytes(
      dtype, {reinterpret_cast<const std::byte*>(elements.data()), elements.size()}, shape);
}

}  // namespace switchyard
