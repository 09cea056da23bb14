#include "cli/new_plugin/plugin_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <switchyard/error.hpp>

#include "config/device_name.hpp"

namespace switchyard::cli {
namespace {

namespace fs = std::filesystem;

#if defined(__APPLE__)
constexpr char kLibraryEnding[] = ".dylib";
#else
constexpr char kLibraryEnding[] = ".so";
#endif

bool may_stand_in_a_name(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// The name with an underscore in the place of each other character; "" where no letter is left.
std::string nearest_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !may_stand_in_a_name(c); }, '_');
  name.resize(std::min(name.size(), kMostPluginNameBytes));
  const bool says_something = name.find_first_not_of('_') != std::string::npos;
  return says_something ? name : "";
}

std::string in_lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The library of that name, whatever its case; empty if there is none.
fs::path find_plugin(const std::string& name, const std::vector<std::string>& folders) {
  const std::string wanted = in_lower_case("libswitchyard_" + name);
  for (const std::string& folder : folders) {
    std::error_code ended;
    for (fs::directory_iterator entry(folder, ended), end; !ended && entry != end;
         entry.increment(ended)) {
      if (in_lower_case(entry->path().stem().string()) == wanted) return entry->path();
    }
  }
  return {};
}

}  // namespace

void check_new_plugin_name(const std::string& name,
                           const std::vector<std::string>& plugin_folders) {
  const bool fits = name.size() <= kMostPluginNameBytes &&
                    std::all_of(name.begin(), name.end(), may_stand_in_a_name);
  if (!fits || nearest_name(name).empty()) {
    const std::string nearest = nearest_name(fs::path(name).filename().string());
    throw Error(ErrorKind::invalid_argument,
                fmt::format("new-plugin: '{}' is no name of a plugin, which is made of letters, "
                            "digits and underscores, {} at most{}",
                            name, kMostPluginNameBytes,
                            nearest.empty() ? "" : fmt::format("; try '{}'", nearest)));
  }
  const fs::path found = find_plugin(name, plugin_folders);
  if (found.empty()) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("new-plugin: there is a plugin of that name already, {}; try 'my_{}'",
                          found.string(), name));
}

std::string plugin_file_name(std::string_view name) {
  return fmt::format("libswitchyard_{}{}", name, kLibraryEnding);
}

}  // namespace switchyard::cli
