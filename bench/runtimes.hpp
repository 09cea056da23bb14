// Runtimes over this build's plugins, for measuring.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <switchyard/runtime.hpp>

namespace switchyard::bench {

// What leaves the host's part alone: one thread; a device that completes work without doing it.
inline std::string_view options_of(std::string_view plugin) {
  if (plugin == "cpu") return "threads = 1\n";
  // Shape arithmetic needs a device with memory that the host reaches.
  if (plugin == "mps") {
    return "device = \"software\"\nsoftware.execute = false\n"
           "[plugins.cpu]\nlibrary = \"switchyard_cpu\"\n";
  }
  if (plugin == "template") return "[plugins.cpu]\nlibrary = \"switchyard_cpu\"\n";
  return "";
}

// One plugin alone; models node by node, or as whole programs where the plugin takes them.
inline Runtime runtime_on(std::string_view plugin, bool whole_programs = false) {
  return Runtime::from_text(
      fmt::format("[routing]\norder = [\"{0}\"]\nfallback = \"deny\"\nwhole_programs = {2}\n"
                  "[plugins.{0}]\nlibrary = \"switchyard_{0}\"\nrequired = true\n"
                  "[plugins.{0}.options]\n{1}",
                  plugin, options_of(plugin), whole_programs));
}

// One plugin in a process of its own.
inline Runtime isolated_runtime_on(std::string_view plugin) {
  return Runtime::from_text(
      fmt::format("[routing]\norder = [\"{0}\"]\nfallback = \"deny\"\n"
                  "[plugins.{0}]\nlibrary = \"switchyard_{0}\"\nrequired = true\n"
                  "isolation = \"process\"\n[plugins.{0}.options]\n{1}",
                  plugin, options_of(plugin)));
}

}  // namespace switchyard::bench
