#include "plugin_loader/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "config/library_search.hpp"
#include "config/setting.hpp"
#include "config/trusted_path.hpp"
#include "plugin_loader/isolation/isolated_library.hpp"
#include "plugin_loader/library_file.hpp"
#include "plugin_loader/load_marks.hpp"
#include "plugin_loader/own_location.hpp"
#include "plugin_loader/trial.hpp"
#include "plugin_loader/trial_record.hpp"
#include "plugin_loader/validation_layer.hpp"
#include "plugin_loader/watch/call_target.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

std::string found_or_throw(const LibrarySearch& search, const PluginConfig& plugin) {
  if (!search.found.empty()) return search.found;
  for (const std::string& candidate : search.candidates) {
    if (std::error_code ignored; !std::filesystem::is_directory(candidate, ignored)) continue;
    throw LoadError(LoadProblem::not_found, fmt::format("its library {} is a folder", candidate),
                    fmt::format("Set plugins.{}.library to the path of a file.", plugin.name));
  }
  throw LoadError(
      LoadProblem::not_found,
      fmt::format("its library \"{}\" is not there; looked for {}", plugin.library,
                  fmt::join(search.candidates, ", ")),
      fmt::format("Install it, or set plugins.{}.library to the path of its file.", plugin.name));
}

/// Where the plugin's options were set: "config.toml:7:1 (threads), flag --set (fast)".
std::string locations_of_options(const Config& config, const PluginConfig& plugin) {
  std::string locations;
  for (const Setting& setting : config.settings) {
    const KeyPath& path = setting.path;
    if (path.size() < 4 || path[0] != "plugins" || path[1] != plugin.name) continue;
    if (path[2] != "options") continue;
    locations += fmt::format("{}{} ({})", locations.empty() ? "" : ", ", describe_origin(setting),
                             fmt::join(path.begin() + 3, path.end(), "."));
  }
  return locations;
}

/// The program that serves isolated plugins, which lies beside the one for trials.
std::filesystem::path server_program(const LoadContext& context, const std::string& plugin) {
  const std::string remedy =
      fmt::format("Install Switchyard whole, or take plugins.{}.isolation out.", plugin);
  const std::filesystem::path path =
      context.probe_program.parent_path() / "switchyard-device-server";
  std::error_code ignored;
  if (context.probe_program.empty() || !std::filesystem::exists(path, ignored)) {
    throw LoadError(LoadProblem::not_opened,
                    "switchyard-device-server, which would serve it, is not installed", remedy);
  }
  if (const std::optional<std::string> problem = why_untrusted(path.string())) {
    throw LoadError(LoadProblem::not_trusted, *problem, remedy);
  }
  return path;
}

std::chrono::milliseconds deadline_of(const PluginConfig& plugin) {
  return std::chrono::milliseconds(std::llround(1000 * plugin.deadline_seconds));
}

/// Whose calls end by themselves has no deadline that the log tells of.
std::shared_ptr<const watch::CallTarget> calls_of(const PluginConfig& plugin) {
  const bool is_isolated = plugin.isolation == Isolation::process;
  return std::make_shared<watch::CallTarget>(
      plugin.name, plugin.name, is_isolated ? std::chrono::milliseconds(0) : deadline_of(plugin));
}

/// Its own process is the plugin's trial.
std::shared_ptr<const EnteredLibrary> load_isolated(const PluginConfig& plugin,
                                                    const LibraryFile& file,
                                                    const EntryTerms& terms,
                                                    const LoadContext& context) {
  return enter_isolated(
      file, terms,
      {server_program(context, plugin.name), deadline_of(plugin), context.trial_limit});
}

[[noreturn]] void refuse_both(const std::string& plugin) {
  throw LoadError(LoadProblem::not_opened,
                  "it is to be validated and isolated, and the layer checks calls of this process",
                  fmt::format("Take plugins.{0}.isolation out, or plugins.{0}.validate.", plugin));
}

std::shared_ptr<const Plugin> load(const PluginConfig& plugin, const LibraryFile& file,
                                   const LoadContext& context) {
  file.check_trust();
  file.check_format();
  if (!plugin.sha256.empty()) file.check_sha256(plugin.sha256, plugin.name);
  EntryTerms terms = {plugin.name, plugin.options, context.thread_limit};
  if (plugin.isolation == Isolation::process) {
    if (plugin.validation.enabled) refuse_both(plugin.name);
    return std::make_shared<Plugin>(calls_of(plugin), load_isolated(plugin, file, terms, context));
  }
  if (plugin.validation.enabled) {
    terms.layer = open_validation_layer(plugin, context.plugin_folders);
  }
  terms.calls = calls_of(plugin);
  LoadMarks marks = load_marks(file, terms, context);
  LoadMark mark;
  auto library = enter_library(file, terms, [&] {
    survive_trial(file, terms, context);
    mark = marks.begin();
  });
  return std::make_shared<Plugin>(terms.calls, std::move(library), std::move(marks));
}

}  // namespace

LoadContext installed_context() {
  LoadContext context;
  context.plugin_folders = installed_plugin_folders();
  context.probe_program = installed_probe_program();
  context.trial_record = default_trial_record();
  context.thread_limit = std::max(std::thread::hardware_concurrency(), 1u);
  return context;
}

LoadResult load_plugin(const Config& config, const PluginConfig& plugin,
                       const LoadContext& context) {
  LoadResult result;
  std::filesystem::path path;
  try {
    path = found_or_throw(find_library(config, plugin, context.plugin_folders), plugin);
    const LibraryFile file(path);
    path = file.path();
    result.plugin = load(plugin, file, context);
  } catch (const LoadError& error) {
    result.failure = error.failure();
    result.failure->library = path;
    const std::string locations = locations_of_options(config, plugin);
    if (error.failure().problem == LoadProblem::entry_failed && !locations.empty()) {
      result.failure->remedy += " They are set at " + locations + ".";
    }
  }
  return result;
}

std::string to_text(const LoadFailure& failure, const std::string& plugin) {
  return fmt::format("plugin '{}' was not loaded: {}. {}", plugin, failure.reason, failure.remedy);
}

}  // namespace switchyard
