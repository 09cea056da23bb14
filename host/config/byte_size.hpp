#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace switchyard::config {

/// Bytes from "512MiB", "2 GB", "1.5GiB" or "4096": B, KiB, MiB, GiB, TiB count in 1024s, KB, MB,
/// GB, TB in 1000s. Nothing if the text is not such a size, does not fit 63 bits, or has a fraction
/// of a byte alone: "0.5", "0.0001KiB".
std::optional<std::uint64_t> parse_byte_size(std::string_view text);

}  // namespace switchyard::config
