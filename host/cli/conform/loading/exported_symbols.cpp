#include "cli/conform/loading/exported_symbols.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "files/regular_file.hpp"

namespace switchyard::cli::conform {
namespace {

// ELF's own structs, as <elf.h> is not everywhere.
struct FileHeader {
  unsigned char magic[16];
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, program_headers, section_headers;
  std::uint32_t flags;
  std::uint16_t size, program_size, program_count, section_size, section_count, names;
};
struct Section {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry_size;
};
struct Symbol {
  std::uint32_t name;
  unsigned char info, other;
  std::uint16_t section;
  std::uint64_t value, size;
};

constexpr std::uint32_t kDynamicSymbols = 11;
constexpr unsigned kLocal = 0;

/// The struct at `offset`; zeros where the file ends before.
template <typename T>
T at(std::string_view file, std::uint64_t offset) {
  T value{};
  if (offset <= file.size() && sizeof(T) <= file.size() - offset) {
    std::memcpy(&value, file.data() + offset, sizeof(T));
  }
  return value;
}

Section section(std::string_view file, const FileHeader& header, std::uint32_t index) {
  return at<Section>(file, header.section_headers + std::uint64_t{index} * sizeof(Section));
}

bool is_exported(const Symbol& symbol) {
  const bool is_defined = symbol.section != 0;
  const unsigned visibility = symbol.other & 3u;  // 0 is default
  return is_defined && symbol.info >> 4 != kLocal && visibility == 0 && symbol.name != 0;
}

}  // namespace

std::optional<std::vector<std::string>> exported_symbols(const std::filesystem::path& library) {
  const std::string file = RegularFile::to_read(library).read(std::size_t{4} << 30);
  const auto header = at<FileHeader>(file, 0);
  constexpr unsigned char bits64 = 2, low_byte_first = 1;
  constexpr unsigned char magic[] = {0x7f, 'E', 'L', 'F'};
  if (std::memcmp(header.magic, magic, sizeof(magic)) != 0 || header.magic[4] != bits64 ||
      header.magic[5] != low_byte_first || header.section_size != sizeof(Section)) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    const Section symbols = section(file, header, i);
    if (symbols.type != kDynamicSymbols) continue;
    const Section texts = section(file, header, symbols.link);
    const std::uint64_t size = std::min<std::uint64_t>(symbols.size, file.size());
    for (std::uint64_t byte = 0; byte + sizeof(Symbol) <= size; byte += sizeof(Symbol)) {
      const auto symbol = at<Symbol>(file, symbols.offset + byte);
      const std::uint64_t text = texts.offset + symbol.name;
      if (!is_exported(symbol) || text >= file.size()) continue;
      names.emplace_back(file.c_str() + text);
    }
  }
  return names;
}

}  // namespace switchyard::cli::conform
