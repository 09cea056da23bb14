// A library in this process whose entry has been called, and the list of them.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "plugin_loader/library_file.hpp"
#include "plugin_loader/plugin_api.hpp"
#include "plugin_loader/plugin_services.hpp"
#include "plugin_loader/plugin_table.hpp"
#include "plugin_loader/probe_result.hpp"
#include "plugin_loader/validation_layer.hpp"
#include "plugin_loader/watch/call_target.hpp"

namespace switchyard {

// What the host tells a plugin at its entry.
struct EntryTerms {
  std::string plugin;  // its name in the configuration
  std::vector<PluginOption> options;
  std::uint32_t thread_limit = 1;
  std::optional<ValidationLayer> layer = std::nullopt;       // through which it is entered
  std::shared_ptr<const watch::CallTarget> calls = nullptr;  // who is called, if that is watched

  // Options and threads as one text.
  std::string text() const;
};

// A library's entry, called for one host, and the table that it gave.
class EnteredLibrary {
 public:
  // Calls the entry. Throws LoadError. `host` lives as long as the process.
  EnteredLibrary(const LibraryFile& file, const EntryTerms& terms, sy_plugin_entry entry,
                 const sy_host& host);
  EnteredLibrary(const EnteredLibrary&) = delete;
  EnteredLibrary& operator=(const EnteredLibrary&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  const PluginTable& table() const noexcept { return table_; }
  const PluginApi& api() const noexcept { return api_; }

  // Asks which devices there are. May be called again, from any thread. Throws LoadError.
  ProbeResult probe() const;
  // Tells the plugin that its host is done with it.
  void leave() const noexcept;

 private:
  const std::filesystem::path path_;
  const PluginTable table_;
  const PluginApi api_{table_.slots};
};

// The library of `file` in this process, entered on these terms; opened if it is not open yet, once
// `before_opening` has returned. Those who ask on equal terms share it, and `leave` is called once
// none of them holds it any more; an entry that failed is tried again. Throws LoadError, and what
// `before_opening` throws.
std::shared_ptr<const EnteredLibrary> enter_library(const LibraryFile& file,
                                                    const EntryTerms& terms,
                                                    const std::function<void()>& before_opening);

}  // namespace switchyard
