#include "software/compile/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "seam/seam.hpp"

extern char** environ;

namespace mps::software {
namespace {

[[noreturn]] void throw_system_error(const std::string& what, int error) {
  throw seam::Failure(seam::Fault::compilation, what + ": " + std::strerror(error));
}

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0) throw_system_error("no pipe to a compiler", errno);
  }
  ~Pipe() {
    close(ends_[0]);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  std::string read_all() const {
    std::string text;
    char part[4096];
    for (;;) {
      const ssize_t bytes = read(ends_[0], part, sizeof part);
      if (bytes > 0) text.append(part, static_cast<size_t>(bytes));
      if (bytes == 0 || (bytes < 0 && errno != EINTR)) return text;
    }
  }

 private:
  int ends_[2] = {-1, -1};
};

int exit_status(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw_system_error("a compiler was lost", errno);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  Pipe errors;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors.writing(), STDERR_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw_system_error("cannot start the compiler '" + command.front() + "'", error);
  errors.close_writing();
  ProcessResult result;
  result.errors = errors.read_all();
  result.status = exit_status(child);
  return result;
}

void run_compiler(const std::vector<std::string>& command) {
  const ProcessResult result = run_process(command);
  if (result.status == 0) return;
  throw seam::Failure(seam::Fault::compilation, result.errors.empty()
                                                    ? command.front() + " failed without a word"
                                                    : result.errors);
}

}  // namespace mps::software
