#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "config/toml_reader.hpp"

namespace switchyard::config {

// What no configuration needs: a text of a few kilobytes could fill any memory otherwise, for each
// key is kept with its whole path.
constexpr std::size_t kMostKeyParts = 16;
constexpr std::size_t kMostKeyBytes = 512;
constexpr std::size_t kMostKeys = 4096;

/// The first key of a TOML text that has more than kMostKeyParts parts, found before the text is
/// parsed: the parser goes one call deeper for each part.
std::optional<TextProblem> find_endless_key(std::string_view text);

}  // namespace switchyard::config
