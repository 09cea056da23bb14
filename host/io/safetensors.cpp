#include "io/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <switchyard/error.hpp>
#include <system_error>

#include "files/file_replacement.hpp"
#include "io/file_error.hpp"
#include "io/host_value.hpp"
#include "io/mapped_file.hpp"
#include "io/safetensors_header.hpp"
#include "io/safetensors_type.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors is little-endian");

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kLongestHeader = 100'000'000;  // the format's limit

std::shared_ptr<const MappedFile> mapped(const std::filesystem::path& path) {
  try {
    return MappedFile::open(path);
  } catch (const std::system_error& error) {
    refuse_unreadable(path.string(), error.code());
  }
}

std::span<const std::byte> header_of(std::span<const std::byte> bytes, const std::string& file) {
  std::uint64_t length = 0;
  if (bytes.size() < kLengthBytes) {
    refuse(file, fmt::format("it has {} bytes and is not a safetensors file, or cut short",
                             bytes.size()));
  }
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kLongestHeader) {
    refuse(file,
           fmt::format("its header of {} bytes is longer than the 100 MB of the format; it is "
                       "no safetensors file, or damaged",
                       length));
  }
  if (length > bytes.size() - kLengthBytes) {
    refuse(file, fmt::format("it is cut short inside its header of {} bytes; copy or save it again",
                             length));
  }
  const auto header = bytes.subspan(kLengthBytes, length);
  if (header.empty() || header[0] != std::byte{'{'}) {
    refuse(file, "its header does not begin with {; it is not a safetensors file, or damaged");
  }
  return header;
}

// A bool is 0 or 1; kernels count on it.
void check_bools(std::span<const std::byte> bytes, const std::string& where) {
  if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b > std::byte{1}; })) {
    refuse(where, "it holds a bool that is neither 0 nor 1; save it as U8");
  }
}

std::size_t position_of(DType dtype, const std::string& where) {
  const auto types = safetensors_types();
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const SafetensorsType& type) { return type.dtype == dtype; });
  if (found == types.end()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: safetensors has no {}; convert it first", where, name_of(dtype)));
  }
  return static_cast<std::size_t>(found - types.begin());
}

// In the order in which their bytes will follow each other.
std::vector<SafetensorsEntry> laid_out(const std::map<std::string, Tensor>& tensors,
                                       const std::string& file) {
  std::vector<std::pair<std::size_t, SafetensorsEntry>> positions;
  for (const auto& [name, tensor] : tensors) {
    const std::string where = fmt::format("{}: tensor {}", file, in_quotes(name));
    if (!tensor.defined()) {
      throw Error(ErrorKind::invalid_argument,
                  where + ": it holds nothing; give it a value or leave it out");
    }
    if (name == "__metadata__") {
      throw Error(ErrorKind::invalid_argument,
                  where + ": the format keeps this name; choose another");
    }
    SafetensorsEntry entry;
    entry.name = name;
    entry.dtype = tensor.dtype();
    entry.shape = tensor.shape();
    positions.emplace_back(position_of(tensor.dtype(), where), std::move(entry));
  }
  std::stable_sort(positions.begin(), positions.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<SafetensorsEntry> entries;
  std::size_t at = 0;
  for (auto& [position, entry] : positions) {
    entry.begin = at;
    at += byte_size(entry.dtype, element_count(entry.shape));
    entry.end = at;
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

void save_safetensors(const std::filesystem::path& path,
                      const std::map<std::string, Tensor>& tensors,
                      const std::map<std::string, std::string>& metadata) {
  const std::string name = path.string();
  const SafetensorsHeader header{laid_out(tensors, name), metadata};
  const std::string text = safetensors_header_text(header, name);
  if (text.size() > kLongestHeader) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: its header would take {} bytes, the format allows 100 MB; save "
                            "less metadata, or in several files",
                            name, text.size()));
  }
  const std::uint64_t length = text.size();
  FileReplacement file(path);
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(text);
  for (const SafetensorsEntry& entry : header.entries) {
    const Literal elements = literal_of(tensors.at(entry.name));
    file.write({elements.bytes(), elements.size_bytes()});
  }
  file.commit();
}

SafetensorsFile read_safetensors_bytes(std::span<const std::byte> bytes, const std::string& name) {
  const std::span<const std::byte> text = header_of(bytes, name);
  const SafetensorsHeader header =
      parse_safetensors_header({reinterpret_cast<const char*>(text.data()), text.size()}, name);
  const std::span<const std::byte> data = bytes.subspan(kLengthBytes + text.size());
  check_layout(header, data.size(), name);
  SafetensorsFile result{{}, header.metadata};
  for (const SafetensorsEntry& entry : header.entries) {
    const auto elements = data.subspan(entry.begin, entry.end - entry.begin);
    if (entry.dtype == DType::bool_) {
      check_bools(elements, fmt::format("{}: tensor {}", name, in_quotes(entry.name)));
    }
    result.tensors.emplace(
        entry.name,
        host_tensor_from_bytes(
            entry.dtype, {reinterpret_cast<const std::byte*>(elements.data()), elements.size()},
            entry.shape));
  }
  return result;
}

SafetensorsFile load_safetensors(const std::filesystem::path& path) {
  return read_safetensors_bytes(mapped(path)->bytes(), path.string());
}

}  // namespace switchyard
