#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace switchyard::cli::conform {

/// The symbols that a shared library defines for others; nothing where its format is not ELF of 64
/// bits in this machine's order, which is all that is read here.
std::optional<std::vector<std::string>> exported_symbols(const std::filesystem::path& library);

}  // namespace switchyard::cli::conform
