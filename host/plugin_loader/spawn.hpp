// Starting a process, without forking this one, and telling how one ended.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace switchyard {

// How the child starts: its streams, and signals as a fresh process has them.
class SpawnSettings {
 public:
  // The descriptors become those of standard input, output and errors; -1 keeps this process's.
  SpawnSettings(int input, int output, int errors);
  ~SpawnSettings();
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  // Runs `command`, the first element a path. 0, or an errno.
  int spawn(const std::vector<std::string>& command, pid_t& child) const;

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// "signal 11, SIGSEGV"
std::string describe_signal(int signal);

}  // namespace switchyard
