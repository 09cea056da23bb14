#include "plugin_loader/entered_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "plugin_loader/option_text.hpp"
#include "plugin_loader/shared_library.hpp"
#include "plugin_loader/watch/thread_calls.hpp"
#include "trace/log.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {
namespace {

// What a library is entered with. A plugin may keep its services, so they live as long as the
// process, also if the entry fails.
struct Terms {
  std::unique_ptr<PluginServices> services;
  std::weak_ptr<const EnteredLibrary> entered;
  std::uint32_t entries = 0;  // that were not left
};

// An open library. Its file stays mapped, so the same file is never opened twice.
struct OpenLibrary {
  FileIdentity identity;
  sy_plugin_entry entry = nullptr;
  std::map<std::string, Terms> terms;  // by name and options
};

trace::QuietMutex& registry_guard() {
  static auto& guard = *new trace::QuietMutex;
  return guard;
}

std::deque<OpenLibrary>& registry() {
  static auto& libraries = *new std::deque<OpenLibrary>;
  return libraries;
}

// What an entry depends on, as one text.
std::string key_of(const EntryTerms& terms) {
  return fmt::format("{}\n{}{}", terms.plugin, terms.text(),
                     terms.layer ? "# validated\n" + to_text(terms.layer->options) : "");
}

PluginTable enter(const EntryTerms& terms, sy_plugin_entry entry, const sy_host& host) {
  const watch::CallScope called("entry", terms.calls.get());
  return terms.layer ? enter_through(*terms.layer, entry, host) : enter_plugin(entry, host);
}

OpenLibrary& open_once(const LibraryFile& file, const EntryTerms& terms,
                       const std::function<void()>& before_opening) {
  std::deque<OpenLibrary>& libraries = registry();
  const auto found = std::find_if(libraries.begin(), libraries.end(), [&](const OpenLibrary& open) {
    return open.identity.device == file.identity().device &&
           open.identity.inode == file.identity().inode;
  });
  if (found != libraries.end()) return *found;
  before_opening();
  OpenLibrary opened;
  opened.identity = file.identity();
  {
    const watch::CallScope called("loading its library", terms.calls.get());
    opened.entry = open_library(file.path());
  }
  file.check_unchanged();
  libraries.push_back(std::move(opened));
  return libraries.back();
}

}  // namespace

std::string EntryTerms::text() const {
  return fmt::format("{}# {} threads\n", to_text(options), thread_limit);
}

EnteredLibrary::EnteredLibrary(const LibraryFile& file, const EntryTerms& terms,
                               sy_plugin_entry entry, const sy_host& host)
    : path_(file.path()), table_(enter(terms, entry, host)) {}

ProbeResult EnteredLibrary::probe() const {
  static auto& probing =
      *new trace::QuietMutex;  // what a plugin lists is valid until it is probed again
  const std::lock_guard lock(probing);
  return probe_plugin(table_);
}

void EnteredLibrary::leave() const noexcept {
  sy_leave_args args{sizeof(args), 0, nullptr, table_.host};
  sy_error error = {};
  error.struct_size = sizeof(error);
  if (api_.leave(&args, &error) != SY_OK) {
    trace::warn("{}: leave: {}", path_.string(), error.message);
  }
}

namespace {

// One call of an entry, as long as anybody holds its library.
struct Entry {
  Entry(const LibraryFile& file, const EntryTerms& given, sy_plugin_entry entry, Terms& on)
      : library(file, given, entry, on.services->host()), terms(on) {
    ++terms.entries;
  }
  // Others may have entered on equal terms since nobody held the library any more: they stay.
  ~Entry() {
    const std::lock_guard lock(registry_guard());
    if (--terms.entries == 0) library.leave();
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  const EnteredLibrary library;
  Terms& terms;
};

}  // namespace

std::shared_ptr<const EnteredLibrary> enter_library(const LibraryFile& file,
                                                    const EntryTerms& terms,
                                                    const std::function<void()>& before_opening) {
  const std::lock_guard lock(registry_guard());
  OpenLibrary& open = open_once(file, terms, before_opening);
  Terms& held = open.terms[key_of(terms)];
  if (auto entered = held.entered.lock()) return entered;
  if (!held.services) {
    held.services = std::make_unique<PluginServices>(terms.plugin, file.path(), terms.options,
                                                     terms.thread_limit);
  }
  const auto made = std::make_shared<const Entry>(file, terms, open.entry, held);
  held.entered = std::shared_ptr<const EnteredLibrary>(made, &made->library);
  return held.entered.lock();
}

}  // namespace switchyard
