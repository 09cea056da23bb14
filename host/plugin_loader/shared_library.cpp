#include "plugin_loader/shared_library.hpp"

#include <fmt/format.h>

#include <boost/dll/shared_library.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "plugin_loader/failure.hpp"
#include "plugin_loader/floating_point_state.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {
namespace {

// Boost.DLL wraps what dlerror said: "...(dlerror system message: WORDS): Bad file descriptor".
std::string loaders_words(const std::system_error& error) {
  constexpr std::string_view before = "dlerror system message: ";
  const std::string all = error.what();
  const std::size_t start = all.find(before);
  if (start == std::string::npos) return all;
  const std::string after = "): " + error.code().message();
  const std::size_t end = all.rfind(after);
  const std::size_t from = start + before.size();
  return all.substr(from, end == std::string::npos || end < from ? end : end - from);
}

std::string remedy_for(std::string_view words, const std::filesystem::path& path) {
  constexpr std::pair<std::string_view, std::string_view> remedies[] = {
      {"cannot open shared object file",
       "Install the missing library that the message names; `ldd {}` lists what is missing."},
      {"Library not loaded",
       "Install the missing library that the message names; `otool -L {}` lists what is needed."},
      {"undefined symbol",
       "Build the plugin again: {} needs a symbol that the libraries here do not have."},
      {"not found (required by",
       "Build the plugin on this system: {} was built against newer libraries than are here."},
      {"static TLS", "Put this plugin first in the configuration, so that {} is loaded earlier."},
  };
  for (const auto& [needle, remedy] : remedies) {
    if (words.find(needle) != words.npos) return fmt::format(fmt::runtime(remedy), path.string());
  }
  return fmt::format("Build or install {} again for this system.", path.string());
}

// Keeps every library open for as long as the process lives.
const boost::dll::shared_library& open_for_good(const std::filesystem::path& path) {
  constexpr auto mode = static_cast<boost::dll::load_mode::type>(boost::dll::load_mode::rtld_now |
                                                                 boost::dll::load_mode::rtld_local);
  static auto& guard = *new trace::QuietMutex;
  static auto& kept = *new std::vector<std::unique_ptr<boost::dll::shared_library>>;
  auto library = std::make_unique<boost::dll::shared_library>(path, mode);
  const std::lock_guard lock(guard);
  return *kept.emplace_back(std::move(library));
}

}  // namespace

sy_plugin_entry open_library(const std::filesystem::path& path) {
  constexpr const char* symbol = "switchyard_plugin_entry";
  const FloatingPointState kept;  // a library linked with -ffast-math changes it as it is loaded
  try {
    const boost::dll::shared_library& library = open_for_good(path);
    if (library.has(symbol)) return &library.get<std::remove_pointer_t<sy_plugin_entry>>(symbol);
  } catch (const std::system_error& error) {
    const std::string words = loaders_words(error);
    throw LoadError(LoadProblem::not_opened,
                    fmt::format("the system could not load {}: {}", path.string(), words),
                    remedy_for(words, path));
  }
  throw LoadError(
      LoadProblem::no_entry,
      fmt::format("{} does not export {}, so it is not a plugin", path.string(), symbol),
      "Name the plugin's own library, built with its entry marked SY_EXPORT.");
}

}  // namespace switchyard
