// A loaded plugin.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin_loader/entered_library.hpp"
#include "plugin_loader/load_marks.hpp"
#include "plugin_loader/probe_result.hpp"
#include "plugin_loader/watch/call_target.hpp"

namespace switchyard {

// One plugin under the name that the configuration gives it. Immutable: any thread may use it. Keep
// it for as long as anything of the plugin is in use.
class Plugin {
 public:
  // Probes the library. Throws LoadError. `calls` is what its calls while it is loaded are told of
  // as; its deadline is that of the devices, too. `marks` are those of its build.
  Plugin(std::shared_ptr<const watch::CallTarget> calls,
         std::shared_ptr<const EnteredLibrary> library, LoadMarks marks = {});

  const std::string& name() const noexcept { return calls_->name(); }
  const std::filesystem::path& library() const noexcept { return library_->path(); }  // absolute
  std::string_view version() const noexcept { return text(table().version); }  // "" if it has none
  std::string_view build() const noexcept { return text(table().build); }      // likewise
  std::uint32_t abi_version() const noexcept { return table().abi_version; }

  // Its functions: every one may be called, and those that the plugin left out do what plugin.h
  // gives as their default.
  const PluginApi& api() const noexcept { return library_->api(); }
  // What it says of itself, and its bare functions, for call_plugin and the PluginApi of a device.
  const sy_plugin& table() const noexcept { return library_->table().slots; }
  // The services and options that it was entered with, for probing and opening.
  const sy_host& host() const noexcept { return *library_->table().host; }
  bool has_events() const noexcept { return library_->table().has_events; }
  bool has_map() const noexcept { return library_->table().has_map; }
  bool has_release_constant() const noexcept { return library_->table().has_release_constant; }

  // What it said of itself when it was loaded.
  bool built() const noexcept { return probed_.built; }
  bool available() const noexcept { return probed_.available; }
  sy_reason reason() const noexcept { return probed_.reason; }             // why not available
  const std::string& message() const noexcept { return probed_.message; }  // likewise, and a remedy
  const std::vector<ProbedDevice>& devices() const noexcept { return probed_.devices; }

  // To be held while a device of it is opened.
  LoadMark mark_opening() const { return marks_.begin(); }

  // What it says now: a device may have become available. Throws LoadError.
  ProbeResult probe_again() const;

  // Who is called where no device is.
  const watch::CallTarget& calls() const noexcept { return *calls_; }

 private:
  static std::string_view text(const char* pointer) noexcept {
    return pointer == nullptr ? std::string_view() : pointer;
  }

  const std::shared_ptr<const watch::CallTarget> calls_;
  const std::shared_ptr<const EnteredLibrary> library_;
  const LoadMarks marks_;
  const ProbeResult probed_;
};

}  // namespace switchyard
