// Structs that a plugin fills in, of its own header's size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace switchyard {

// Whether some header could have a struct of this size that reaches `least`. Any other size would
// cut a pointer in two, or let the next element of an array begin within one.
constexpr bool is_struct_size(std::uint32_t size, std::size_t least) noexcept {
  return size >= least && size % alignof(void*) == 0;
}

// What the plugin's struct lacks, because it is of an older header, stays 0.
template <typename Struct>
Struct copy_sized(const Struct& given, std::uint32_t struct_size) noexcept {
  Struct copied = {};
  std::memcpy(&copied, &given, std::min<std::size_t>(struct_size, sizeof(copied)));
  copied.struct_size = sizeof(copied);
  return copied;
}

}  // namespace switchyard
