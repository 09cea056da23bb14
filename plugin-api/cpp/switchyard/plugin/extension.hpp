/// @file
/// Extension chains.
#pragma once

#include <switchyard/plugin.h>

namespace sy {

/// The link of that kind as the struct that starts with it; null if the chain has none, or an older
/// one that is shorter than Extension.
template <typename Extension>
const Extension* find_extension(const sy_extension* chain, uint32_t kind) noexcept {
  for (; chain != nullptr; chain = chain->next) {
    if (chain->kind == kind && chain->struct_size >= sizeof(Extension)) {
      return reinterpret_cast<const Extension*>(chain);
    }
  }
  return nullptr;
}

}  // namespace sy
