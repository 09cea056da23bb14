#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace switchyard::cli::conform {

/// Bytes without a short period, other ones for each seed.
std::vector<std::byte> test_bytes(std::size_t count, unsigned seed);

/// Fails the case, naming the first byte that differs, unless both are equal.
void require_bytes(const std::vector<std::byte>& found, const std::vector<std::byte>& expected,
                   std::string_view what);

}  // namespace switchyard::cli::conform
