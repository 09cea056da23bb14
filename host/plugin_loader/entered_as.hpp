// Tells a plugin's table for whom it is asked, where no args say so: one table may stand for
// several entries of several plugins.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

namespace switchyard {

// A link in the chain of sy_report_args. Of the host's own: plugins step over it.
struct EnteredAs {
  static constexpr std::uint32_t kKind = 0x10000;

  explicit EnteredAs(const sy_host& entered) : host(&entered) {}

  sy_extension link = {sizeof(EnteredAs), kKind, nullptr};
  const sy_host* host;
};

// What the entry was given, or null if the chain does not say.
inline const sy_host* entered_as(const sy_extension* chain) {
  for (; chain != nullptr; chain = chain->next) {
    if (chain->kind == EnteredAs::kKind) return reinterpret_cast<const EnteredAs*>(chain)->host;
  }
  return nullptr;
}

}  // namespace switchyard
