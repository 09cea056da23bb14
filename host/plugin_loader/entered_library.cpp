#include "plugin_loader/entered_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "plugin_loader/option_text.hpp"
#include "plugin_loader/shared_library.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {
namespace {

// An open library. Its file stays mapped, so the same file is never opened twice, and what it was
// entered with lives as long: the plugin may have kept it.
struct OpenLibrary {
  FileIdentity identity;
  sy_plugin_entry entry = nullptr;
  std::map<std::string, std::shared_ptr<const EnteredLibrary>> entered;  // by name and terms
};

trace::QuietMutex& registry_guard() {
  static auto& guard = *new trace::QuietMutex;
  return guard;
}

std::vector<OpenLibrary>& registry() {
  static auto& libraries = *new std::vector<OpenLibrary>;
  return libraries;
}

// The services are kept for ever, also if the entry fails: the plugin may have kept them too.
const sy_host& keep_services(const LibraryFile& file, const EntryTerms& terms) {
  static auto& guard = *new trace::QuietMutex;
  static auto& kept = *new std::vector<std::unique_ptr<PluginServices>>;
  const std::lock_guard lock(guard);
  kept.push_back(std::make_unique<PluginServices>(terms.plugin, file.path(), terms.options,
                                                  terms.thread_limit));
  return kept.back()->host();
}

OpenLibrary& open_once(const LibraryFile& file, const std::function<void()>& before_opening) {
  std::vector<OpenLibrary>& libraries = registry();
  const auto found = std::find_if(libraries.begin(), libraries.end(), [&](const OpenLibrary& open) {
    return open.identity.device == file.identity().device &&
           open.identity.inode == file.identity().inode;
  });
  if (found != libraries.end()) return *found;
  before_opening();
  OpenLibrary opened;
  opened.identity = file.identity();
  opened.entry = open_library(file.path());
  file.check_unchanged();
  libraries.push_back(std::move(opened));
  return libraries.back();
}

}  // namespace

std::string EntryTerms::text() const {
  return fmt::format("{}# {} threads\n", to_text(options), thread_limit);
}

EnteredLibrary::EnteredLibrary(const LibraryFile& file, sy_plugin_entry entry,
                               const EntryTerms& terms)
    : path_(file.path()), table_(enter_plugin(entry, keep_services(file, terms))) {}

ProbeResult EnteredLibrary::probe() const {
  static auto& probing =
      *new trace::QuietMutex;  // what a plugin lists is valid until it is probed again
  const std::lock_guard lock(probing);
  return probe_plugin(table_);
}

std::shared_ptr<const EnteredLibrary> enter_library(const LibraryFile& file,
                                                    const EntryTerms& terms,
                                                    const std::function<void()>& before_opening) {
  const std::lock_guard lock(registry_guard());
  OpenLibrary& open = open_once(file, before_opening);
  std::shared_ptr<const EnteredLibrary>& entered = open.entered[terms.plugin + "\n" + terms.text()];
  if (!entered) entered = std::make_shared<const EnteredLibrary>(file, open.entry, terms);
  return entered;
}

}  // namespace switchyard
