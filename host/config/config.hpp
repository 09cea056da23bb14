#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/device_name.hpp"
#include "config/environment.hpp"
#include "config/fallback_policy.hpp"
#include "config/limits.hpp"
#include "config/setting.hpp"
#include "config/value.hpp"

namespace switchyard {

/// [host]
struct HostConfig {
  std::uint64_t cache_limit = 0;   // bytes that each device keeps for later; 0: any number
  std::string log_level;           // a name that trace::parse_level knows
  std::uint64_t memory_limit = 0;  // bytes on each device; 0: 3/4 of the memory
  std::string trace;               // the file to write a trace to; "": none
};

/// [routing], as written: names are checked against [plugins], not yet against real devices.
struct RoutingConfig {
  std::vector<DeviceName> order;  // never empty, no device twice
  FallbackPolicy fallback = FallbackPolicy::warn;
  std::optional<DeviceName> host_device;
  bool whole_programs = true;
  std::vector<std::pair<std::string, DeviceName>> pins;                    // by op
  std::vector<std::pair<std::string, FallbackPolicy>> fallback_by_plugin;  // by who refused
  std::vector<std::pair<std::string, FallbackPolicy>> fallback_by_op;
};

enum class Precision : std::uint8_t { highest, tf32, bfloat16 };

/// [precision]: what results must keep to.
struct PrecisionConfig {
  Precision matmul = Precision::highest;  // the least a float32 product may be computed with
  Precision convolution = Precision::highest;
  bool float16_sums = false;   // of products of float16
  bool deterministic = false;  // equal inputs give equal bits on the same device
};

/// One value of [plugins.NAME.options], a nested table's names joined with dots.
struct PluginOption {
  std::string key;
  ConfigValue value;
  bool operator==(const PluginOption&) const = default;
};

/// Where a plugin's code runs: in this process, or in one of its own.
enum class Isolation : std::uint8_t { none, process };

/// plugins.NAME.validate and [plugins.NAME.validation]: a layer that holds the host to the plugin
/// API.
struct ValidationConfig {
  bool enabled = false;
  std::string on_violation;  // log, error or abort
  std::int64_t seed = 1;
  std::int64_t delay_microseconds = 0;  // the longest pause before a call; 0: none
  bool operator==(const ValidationConfig&) const = default;
};

/// [plugins.NAME]
struct PluginConfig {
  std::string name;
  std::string library;  // see library_search.hpp
  bool required = false;
  std::string sha256;                 // 64 lower-case hexadecimal digits, or "": not pinned
  std::vector<PluginOption> options;  // in the order of the file, then of the flags
  Isolation isolation = Isolation::none;
  double deadline_seconds = 60;  // of each call; 0: none
  ValidationConfig validation;
  bool operator==(const PluginConfig&) const = default;
};

/// The effective configuration. A plain value: what it says has been checked as far as the text
/// alone tells, and every setting of it is in `settings` with its origin.
struct Config {
  HostConfig host;
  LimitsConfig limits;
  RoutingConfig routing;
  PrecisionConfig precision;
  std::vector<PluginConfig> plugins;  // never empty; in the order of the file, then of the flags

  std::string source;  // the file as it was named, or the name given to the text
  std::string folder;  // the file's folder, absolute; "" for a text

  std::vector<Setting> settings;  // in the order of the schema

  const PluginConfig* find_plugin(std::string_view name) const;

  /// The setting of that key, written as TOML writes it ("routing.order"); null if there is none.
  const Setting* find_setting(std::string_view key) const;
};

/// One flag of the command line, in the order given; a later one wins.
struct ConfigFlag {
  enum class Kind { order, set };

  Kind kind = Kind::set;
  std::string
      text;  // --order: "a,b:1"; --set: "routing.fallback=deny", the value TOML or a bare word
};

struct ConfigRequest {
  std::string file;            // --config; "": SWITCHYARD_CONFIG, and without it the installed one
  std::string installed_file;  // the installed default.toml; "" if there is none
  std::vector<ConfigFlag> flags;
  Environment environment = read_environment();
};

/// Reads the file that the request comes to, lays the environment and the flags over it, and
/// checks the whole. Throws Error(config), or Error(invalid_argument) for a flag that is not
/// `key=value`. The file and its folder must not be writable by others.
Config load_config(const ConfigRequest& request);

/// The same for a text; `name` stands for the file in errors and origins. Libraries are then found
/// in the plugin folders or by absolute path only.
Config parse_config(std::string_view text, const std::string& name,
                    const std::vector<ConfigFlag>& flags = {},
                    const Environment& environment = read_environment());

/// The effective configuration as TOML, one setting a line, its origin in a comment.
std::string to_text(const Config& config);

}  // namespace switchyard
