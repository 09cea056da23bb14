// switchyard-probe LIBRARY [THREADS [SECONDS]] <OPTIONS: loads, enters and probes a plugin and
// opens its devices, so that what kills a process kills this one. OPTIONS is TOML text. Writes each
// stage as it begins it, a line "uses FILE" for each library that is loaded then, and "survived" at
// the end, whatever the plugin answered: only the answer's coming counts. Ends itself after
// SECONDS, in case that who waits for it has gone.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "plugin_loader/plain_crash.hpp"
#include "plugin_loader/probe/plugin_trial.hpp"

namespace {

// Where the stages go; standard output itself is left to the plugin.
int answers = -1;

void answer(const std::string& line) {
  const std::string text = line + "\n";
  // Nobody is left to hear of a failure to write.
  if (::write(answers, text.data(), text.size()) < 0) std::_Exit(2);
}

// All of standard input, which the plugin then finds empty.
std::string read_options() {
  std::string text;
  char piece[4096];
  for (;;) {
    const ssize_t size = ::read(STDIN_FILENO, piece, sizeof(piece));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(piece, static_cast<std::size_t>(size));
  }
  return text;
}

void end_after(unsigned seconds) {
  std::signal(SIGALRM, SIG_DFL);
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  ::sigprocmask(SIG_UNBLOCK, &alarm_only, nullptr);
  ::alarm(seconds);
}

}  // namespace

int main(int count, char** words) {
  if (count < 2 || count > 4) {
    static constexpr char usage[] =
        "usage: switchyard-probe LIBRARY [THREADS [SECONDS]] <OPTIONS\n";
    return ::write(STDERR_FILENO, usage, sizeof(usage) - 1) < 0 ? 3 : 2;
  }
  answers = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  switchyard::crash_plainly();
  if (count > 3) end_after(static_cast<unsigned>(std::strtoul(words[3], nullptr, 10)));
  const std::string options = read_options();
  const unsigned long threads = count > 2 ? std::strtoul(words[2], nullptr, 10) : 1;
  switchyard::try_plugin(words[1], options, static_cast<std::uint32_t>(threads), answer);
  answer("survived");
  std::_Exit(0);  // the plugin's destructors are not on trial
}
