#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <switchyard/runtime.hpp>

#include "config/config.hpp"

namespace CLI {
class App;
}

namespace switchyard::cli {

/// What every subcommand takes: the configuration, what is laid over it, the form of the output.
struct ConfigurationOptions {
  std::string file;               // --config; "": SWITCHYARD_CONFIG, else the installed one
  std::vector<ConfigFlag> flags;  // --order and --set, in the order given
  bool json = false;
};

/// Declares --config, --order, --set and --json. `options` must outlive the parsing.
void add_configuration_options(CLI::App& arguments, ConfigurationOptions& options);

/// The same without --config, for who takes several.
void add_override_options(CLI::App& arguments, ConfigurationOptions& options);

/// The words of a command line that say the same, but for --json.
std::vector<std::string> words_of(const ConfigurationOptions& options);

/// The file that will be read, before it is: for saying where a configuration comes from.
ConfigRequest request_of(const ConfigurationOptions& options);

/// Reads and checks the configuration. Throws Error(config), or Error(invalid_argument) for a flag.
Config read_configuration(const ConfigurationOptions& options);

/// A runtime of it. Throws Error(config), and Error(plugin) if a required plugin is broken.
Runtime start_runtime(const ConfigurationOptions& options);

/// The configuration turned so that one device runs everything but host work, without fallback.
/// Throws Error(invalid_argument) if `device` names none.
Config only_on(Config config, std::string_view device);

/// A runtime over a configuration already read.
Runtime start_runtime(Config config);

}  // namespace switchyard::cli
