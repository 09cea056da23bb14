#include "plugin_loader/spawn.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <string_view>
#include <utility>

extern char** environ;

namespace switchyard {
namespace {

std::string_view name_of_signal(int signal) {
  constexpr std::pair<int, std::string_view> names[] = {
      {SIGSEGV, ", SIGSEGV"}, {SIGABRT, ", SIGABRT"}, {SIGBUS, ", SIGBUS"}, {SIGFPE, ", SIGFPE"},
      {SIGILL, ", SIGILL"},   {SIGTRAP, ", SIGTRAP"}, {SIGSYS, ", SIGSYS"}, {SIGKILL, ", SIGKILL"}};
  for (const auto& [number, name] : names) {
    if (number == signal) return name;
  }
  return "";
}

}  // namespace

SpawnSettings::SpawnSettings(int input, int output, int errors) {
  ::posix_spawn_file_actions_init(&actions_);
  for (const auto& [from, to] : {std::pair{input, STDIN_FILENO}, std::pair{output, STDOUT_FILENO},
                                 std::pair{errors, STDERR_FILENO}}) {
    if (from >= 0) ::posix_spawn_file_actions_adddup2(&actions_, from, to);
  }
  ::posix_spawnattr_init(&attributes_);
  sigset_t signals;  // macOS has macros of these names, before which :: cannot stand
  sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes_, &signals);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGTERM}) {
    sigaddset(&signals, signal);
  }
  ::posix_spawnattr_setsigdefault(&attributes_, &signals);
  ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

SpawnSettings::~SpawnSettings() {
  ::posix_spawn_file_actions_destroy(&actions_);
  ::posix_spawnattr_destroy(&attributes_);
}

int SpawnSettings::spawn(const std::vector<std::string>& command, pid_t& child) const {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return ::posix_spawn(&child, arguments[0], &actions_, &attributes_, arguments.data(), environ);
}

std::string describe_signal(int signal) {
  return fmt::format("signal {}{}", signal, name_of_signal(signal));
}

}  // namespace switchyard
