#include "plugin_loader/isolation/isolated_library.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string>
#include <system_error>

#include "plugin_loader/failure.hpp"
#include "plugin_loader/plugin_services.hpp"

namespace switchyard {
namespace {

struct IsolatedLibrary {
  IsolatedLibrary(const LibraryFile& file, const EntryTerms& terms,
                  const isolation::IsolationTerms& isolation)
      : services(terms.plugin, file.path(), terms.options, terms.thread_limit),
        plugin(file, terms, isolation, services.host()),
        entered(file, terms, plugin.entry_on_this_thread(), services.host()) {}

  const PluginServices services;  // for messages of its process
  isolation::IsolatedPlugin plugin;
  const EnteredLibrary entered;
};

std::string key_of(const LibraryFile& file, const EntryTerms& terms,
                   const isolation::IsolationTerms& isolation) {
  const FileIdentity& identity = file.identity();
  return fmt::format("{} {} {}\n{}\n{}\n{}", identity.device, identity.inode, identity.changed_ns,
                     isolation.deadline.count(), terms.plugin, terms.text());
}

}  // namespace

std::shared_ptr<const EnteredLibrary> enter_isolated(const LibraryFile& file,
                                                     const EntryTerms& terms,
                                                     const isolation::IsolationTerms& isolation) {
  static auto& guard = *new trace::QuietMutex;
  static auto& in_use = *new std::map<std::string, std::weak_ptr<const IsolatedLibrary>>;
  const std::lock_guard lock(guard);
  std::erase_if(in_use, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const IsolatedLibrary>& known = in_use[key_of(file, terms, isolation)];
  std::shared_ptr<const IsolatedLibrary> library = known.lock();
  if (!library) {
    try {
      library = std::make_shared<const IsolatedLibrary>(file, terms, isolation);
    } catch (const std::system_error& error) {
      throw LoadError(
          LoadProblem::not_opened,
          fmt::format("there is no memory to share with its own process: {}", error.what()),
          fmt::format("Raise the limits of this process, or take "
                      "plugins.{}.isolation out.",
                      terms.plugin));
    }
    known = library;
  }
  return {library, &library->entered};
}

}  // namespace switchyard
