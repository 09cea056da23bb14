#pragma once

#include <cstddef>
#include <string_view>

namespace switchyard::cli::conform {

/// Fails the case unless the text ends in NUL within `size_bytes`, says something and is UTF-8.
void require_text(const char* text, std::size_t size_bytes, std::string_view what);

/// The same for a text of any length up to 64 KiB, which may be empty; null fails.
void require_plain_text(const char* text, std::string_view what);

}  // namespace switchyard::cli::conform
