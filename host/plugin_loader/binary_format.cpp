#include "plugin_loader/binary_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <optional>
#include <string_view>

namespace switchyard {
namespace {

struct Machine {
  std::uint16_t elf;    // e_machine
  std::uint32_t macho;  // cputype, 0 where macOS never ran
  std::string_view name;
};

constexpr Machine machines[] = {
    {62, 0x01000007, "x86-64"}, {183, 0x0100000c, "AArch64"}, {3, 7, "32-bit x86"},
    {40, 12, "32-bit ARM"},     {243, 0, "RISC-V"},           {21, 0, "64-bit PowerPC"},
    {22, 0, "IBM Z"},           {258, 0, "LoongArch"},        {8, 0, "MIPS"},
};

// Empty on a machine that the table lacks: then the dynamic loader has the only word.
constexpr std::string_view own_machine =
#if defined(__x86_64__) && !defined(__ILP32__)
    "x86-64";
#elif defined(__aarch64__)
    "AArch64";
#elif defined(__i386__)
    "32-bit x86";
#elif defined(__arm__)
    "32-bit ARM";
#elif defined(__riscv)
    "RISC-V";
#elif defined(__powerpc64__)
    "64-bit PowerPC";
#elif defined(__s390x__)
    "IBM Z";
#elif defined(__loongarch__)
    "LoongArch";
#else
    "";
#endif

#ifdef __APPLE__
constexpr bool wants_macho = true;
#else
constexpr bool wants_macho = false;
#endif

// Reads numbers of a file's byte order; what lies behind the end reads as nothing.
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, std::endian order) : bytes_(bytes), order_(order) {}

  std::optional<std::uint64_t> number(std::uint64_t offset, std::size_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t position = order_ == std::endian::big ? i : size - 1 - i;
      value = (value << 8) | std::to_integer<std::uint64_t>(bytes_[offset + position]);
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::endian order_;
};

bool starts_with(std::span<const std::byte> head, std::string_view magic) {
  return head.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), head.begin(),
                    [](char a, std::byte b) { return static_cast<std::byte>(a) == b; });
}

std::string name_of(std::uint64_t number, bool is_macho) {
  for (const Machine& machine : machines) {
    if (is_macho ? machine.macho == number : machine.elf == number)
      return std::string(machine.name);
  }
  return fmt::format("another machine (number {})", number);
}

bool is_own(const std::string& machine, std::string& reason) {
  if (own_machine.empty() || machine == own_machine) return true;
  reason = fmt::format("is built for {}; this program runs on {}", machine, own_machine);
  return false;
}

// A segment behind the file's end would kill the process on first touch; a table of sections there,
// which loading does not need, still tells of a copy that broke off.
bool is_whole(const Reader& reader, bool is_64_bit, std::uint64_t file_bytes, std::string& reason) {
  std::uint64_t end = reader.number(is_64_bit ? 40 : 32, is_64_bit ? 8 : 4).value_or(0);
  if (end != 0) {
    end += reader.number(is_64_bit ? 58 : 46, 2).value_or(0) *
           reader.number(is_64_bit ? 60 : 48, 2).value_or(0);
  }
  const std::uint64_t table = reader.number(is_64_bit ? 32 : 28, is_64_bit ? 8 : 4).value_or(0);
  const std::uint64_t entry = reader.number(is_64_bit ? 54 : 42, 2).value_or(0);
  const std::uint64_t count = reader.number(is_64_bit ? 56 : 44, 2).value_or(0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = table + i * entry;
    const auto offset = reader.number(at + (is_64_bit ? 8 : 4), is_64_bit ? 8 : 4);
    const auto size = reader.number(at + (is_64_bit ? 32 : 16), is_64_bit ? 8 : 4);
    if (!offset || !size) break;  // the table lies behind `head`: the dynamic loader looks
    // A sum that overflows lies behind any file's end too.
    end = std::max(end, *offset > UINT64_MAX - *size ? UINT64_MAX : *offset + *size);
  }
  if (end <= file_bytes) return true;
  reason = fmt::format("is cut short: it has {} bytes of {}", file_bytes, end);
  return false;
}

bool is_loadable_elf(std::span<const std::byte> head, std::uint64_t file_bytes,
                     std::string& reason) {
  const bool is_64_bit = head.size() > 4 && head[4] == std::byte{2};
  const bool is_big = head.size() > 5 && head[5] == std::byte{2};
  if (head.size() < (is_64_bit ? 64 : 52)) {
    reason = fmt::format("is cut short: it has {} bytes, less than a library's header", file_bytes);
    return false;
  }
  const Reader reader(head, is_big ? std::endian::big : std::endian::little);
  std::string machine = name_of(*reader.number(18, 2), false);
  const bool own_bits = is_64_bit == (sizeof(void*) == 8);
  if (machine == own_machine &&
      (!own_bits || is_big != (std::endian::native == std::endian::big))) {
    machine =
        fmt::format("{}-bit {}-endian {}", is_64_bit ? 64 : 32, is_big ? "big" : "little", machine);
  }
  if (!is_own(machine, reason)) return false;
  constexpr std::uint64_t shared_object = 3;
  if (*reader.number(16, 2) != shared_object) {
    reason = "is a program or an object file, not a shared library";
    return false;
  }
  return is_whole(reader, is_64_bit, file_bytes, reason);
}

bool is_loadable_macho(const Reader& reader, std::string& reason) {
  const auto machine = reader.number(4, 4);
  const auto type = reader.number(12, 4);
  if (!machine || !type) {
    reason = "is cut short: it is smaller than a library's header";
    return false;
  }
  if (!is_own(name_of(*machine, true), reason)) return false;
  constexpr std::uint64_t dynamic_library = 6;
  constexpr std::uint64_t bundle = 8;
  if (*type == dynamic_library || *type == bundle) return true;
  reason = "is a program or an object file, not a shared library";
  return false;
}

// A universal file holds one library for each of several machines.
bool is_loadable_universal(const Reader& reader, std::string& reason) {
  const std::uint64_t count = reader.number(4, 4).value_or(0);
  std::string names;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto machine = reader.number(8 + i * 20, 4);
    if (!machine) break;
    const std::string name = name_of(*machine, true);
    if (name == own_machine) return true;
    names += names.empty() ? name : ", " + name;
  }
  return is_own(names, reason);
}

std::string describe_foreign(std::span<const std::byte> head) {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"MZ", "is a Windows library or program"},
      {"!<arch>", "is a static library; a plugin is a shared one"},
      {"#!", "is a script"},
      {"version https://git-lfs", "is a Git LFS pointer; the library was not downloaded"},
      {"PK", "is a zip archive"},
  };
  for (const auto& [magic, words] : kinds) {
    if (starts_with(head, magic)) return std::string(words);
  }
  const auto shown = head.first(std::min<std::size_t>(head.size(), 64));
  const bool is_text = std::all_of(shown.begin(), shown.end(), [](std::byte b) {
    const int c = std::to_integer<int>(b);
    return std::isprint(c) != 0 || std::isspace(c) != 0;
  });
  return is_text ? "is a text file, not a shared library" : "is not a shared library";
}

}  // namespace

bool is_loadable(std::span<const std::byte> head, std::uint64_t file_bytes, std::string& reason) {
  const bool is_elf = starts_with(head,
                                  "\x7f"
                                  "ELF");
  const bool is_macho =
      starts_with(head, "\xcf\xfa\xed\xfe") || starts_with(head, "\xce\xfa\xed\xfe");
  const bool is_universal = starts_with(head, "\xca\xfe\xba\xbe");
  if (head.empty()) {
    reason = "is empty";
    return false;
  }
  if (is_elf && !wants_macho) return is_loadable_elf(head, file_bytes, reason);
  if (is_macho && wants_macho) {
    return is_loadable_macho(Reader(head, std::endian::little), reason);
  }
  if (is_universal && wants_macho) {
    return is_loadable_universal(Reader(head, std::endian::big), reason);
  }
  if (is_elf) {
    reason = "is an ELF library, as Linux uses; this system needs Mach-O";
  } else if (is_macho || is_universal) {
    reason = "is a Mach-O library, as macOS uses; this system needs ELF";
  } else {
    reason = describe_foreign(head);
  }
  return false;
}

}  // namespace switchyard
