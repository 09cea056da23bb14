// What the host gives to one plugin: its options, its own path, a folder for its cache, the log, a
// number of threads.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "config/config.hpp"

namespace switchyard {

// Owns a sy_host and all it points to. A plugin may keep it, so whoever hands it over never
// destroys it.
class PluginServices {
 public:
  PluginServices(std::string plugin, const std::filesystem::path& library,
                 std::vector<PluginOption> options, std::uint32_t thread_limit);
  PluginServices(const PluginServices&) = delete;
  PluginServices& operator=(const PluginServices&) = delete;

  const sy_host& host() const noexcept { return host_; }

 private:
  using OptionList = std::vector<sy_option>;

  sy_option convert(const char* key, const ConfigValue& value);
  static void log(void* context, sy_log_level level, const char* message);

  const std::string plugin_;
  const std::string library_;
  const std::string cache_folder_;  // empty: none
  const std::vector<PluginOption> options_;
  std::deque<OptionList> lists_;  // a deque: lists of lists must not move
  OptionList converted_;
  sy_host host_ = {};
};

}  // namespace switchyard
