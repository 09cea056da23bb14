// Loading the fake plugins of tests/fake-plugins.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "config/config.hpp"
#include "plugin_loader/load.hpp"
#include "temporary_folder.hpp"
#include "test_folders.hpp"

namespace switchyard {

inline std::filesystem::path build_folder() { return SWITCHYARD_BUILD_DIR; }

inline std::filesystem::path fake_library(const std::string& variant) {
  return build_folder() / "fake-plugins" / ("libswitchyard_fake_" + variant + ".so");
}

// A folder of libraries and files for the loader, gone with this.
class ScratchFolder : public TemporaryFolder {
 public:
  // A copy of a fake: a file of its own, so another library to the process.
  std::filesystem::path copy_of(const std::string& variant,
                                const std::string& name = "copy.so") const {
    std::filesystem::copy_file(fake_library(variant), path() / name,
                               std::filesystem::copy_options::overwrite_existing);
    return path() / name;
  }

  std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::ofstream(path() / name, std::ios::binary) << content;
    return path() / name;
  }
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A configuration of one plugin, "mine". `more` are further lines of [plugins.mine].
inline Config config_of(const std::filesystem::path& library, const std::string& more = "") {
  return parse_config("[routing]\norder = [\"mine\"]\n[plugins.mine]\nlibrary = \"" +
                          library.string() + "\"\n" + more,
                      "test.toml", {}, {});
}

// Makes a trial of each library, unless a record is set.
inline LoadContext trial_context() {
  LoadContext context;
  context.plugin_folders = {(build_folder() / "fake-plugins").string()};
  context.probe_program = build_folder() / "bin" / "switchyard-probe";
  return context;
}

inline LoadResult load_library(const std::filesystem::path& library, const std::string& more = "",
                               const LoadContext& context = trial_context()) {
  const Config config = config_of(library, more);
  return load_plugin(config, config.plugins.front(), context);
}

inline LoadResult load_fake(const std::string& variant) {
  return load_library(fake_library(variant));
}

}  // namespace switchyard
