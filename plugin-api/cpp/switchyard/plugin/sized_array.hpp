/// @file
/// Arrays of structs that begin with their size, as all of the ABI's do: those of a newer host are
/// larger than this header's, so that they are not walked by ++.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>

namespace sy {

/// The i-th of an array that is the caller's to be filled in. SY_AT is the same for one to be read.
template <typename Struct>
Struct& element_at(Struct* array, size_t index) noexcept {
  return *reinterpret_cast<Struct*>(reinterpret_cast<char*>(array) + index * array->struct_size);
}

}  // namespace sy
