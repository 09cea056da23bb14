#pragma once

#include <functional>
#include <string_view>

namespace CLI {
class App;
}

namespace switchyard::cli {

/// What a subcommand does once its arguments have been read. Returns the exit code; throws Error.
using Action = std::function<int()>;

/// One subcommand of the program.
struct Subcommand {
  std::string_view name;
  std::string_view summary;                // one line of `switchyard --help`
  std::string_view examples;               // the end of its own --help: a command a line
  Action (*declare)(CLI::App& arguments);  // adds its arguments; the action keeps what they read
};

extern const Subcommand devices_command;
extern const Subcommand ops_command;
extern const Subcommand doctor_command;
extern const Subcommand config_command;
extern const Subcommand run_command;
extern const Subcommand verify_command;
extern const Subcommand explain_command;
extern const Subcommand bench_command;
extern const Subcommand train_command;
extern const Subcommand conform_command;
extern const Subcommand new_plugin_command;

}  // namespace switchyard::cli
