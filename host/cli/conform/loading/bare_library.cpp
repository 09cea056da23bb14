#include "cli/conform/loading/bare_library.hpp"

#include <dlfcn.h>

#include "cli/conform/case.hpp"
#include "cli/conform/plugin/call.hpp"

namespace switchyard::cli::conform {

sy_plugin_entry bare_entry(const PluginUnderTest& plugin) {
  void* library = ::dlopen(plugin.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail("it does not open: {}", ::dlerror());
  void* symbol = ::dlsym(library, "switchyard_plugin_entry");
  if (symbol == nullptr) fail("it does not export switchyard_plugin_entry");
  return reinterpret_cast<sy_plugin_entry>(symbol);
}

const sy_host& services_for(const PluginUnderTest& plugin, const std::string& name) {
  static auto& kept = *new std::vector<std::unique_ptr<PluginServices>>;
  kept.push_back(std::make_unique<PluginServices>(name, plugin.library, plugin.entry().options,
                                                  plugin.threads));
  return kept.back()->host();
}

sy_entry_args entry_args(const sy_host& host, std::uint32_t min_version,
                         std::uint32_t max_version) {
  auto args = sized<sy_entry_args>();
  args.min_version = min_version;
  args.max_version = max_version;
  args.host = &host;
  return args;
}

}  // namespace switchyard::cli::conform
