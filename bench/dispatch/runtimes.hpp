// Runtimes over this build's plugins, for measuring.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <switchyard/runtime.hpp>

namespace switchyard::bench {

// One plugin alone, on one thread.
inline Runtime runtime_on(std::string_view plugin) {
  return Runtime::from_text(
      fmt::format("[routing]\norder = [\"{0}\"]\nfallback = \"deny\"\n"
                  "[plugins.{0}]\nlibrary = \"switchyard_{0}\"\nrequired = true\n{1}",
                  plugin, plugin == "cpu" ? "[plugins.cpu.options]\nthreads = 1\n" : ""));
}

}  // namespace switchyard::bench
