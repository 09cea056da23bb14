#include "cli/conform/plugin/process_facts.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <filesystem>

#include "cli/conform/plugin/arithmetic_mode.hpp"

namespace switchyard::cli::conform {
namespace {

std::string current_folder() {
  std::error_code ignored;
  return std::filesystem::current_path(ignored).string();
}

unsigned current_umask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

/// Signals of which this process decides what they do; those that a plugin has taken over show.
std::string current_handlers() {
  constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP,  SIGSEGV, SIGABRT, SIGBUS, SIGFPE,
                             SIGILL, SIGPIPE, SIGCHLD, SIGUSR1, SIGUSR2, SIGALRM};
  std::string text;
  for (const int signal : signals) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    text += fmt::format("{} of signal {}; ", fmt::ptr(reinterpret_cast<void*>(action.sa_handler)),
                        signal);
  }
  return text;
}

}  // namespace

ProcessFacts::ProcessFacts()
    : folder_(current_folder()),
      locale_(std::setlocale(LC_ALL, nullptr)),
      handlers_(current_handlers()),
      umask_(current_umask()),
      arithmetic_(arithmetic_mode()) {}

std::string ProcessFacts::change() const {
  const ProcessFacts now;
  if (now.folder_ != folder_) {
    return fmt::format("the working directory was {} and is {}", folder_, now.folder_);
  }
  if (now.locale_ != locale_)
    return fmt::format("the locale was {} and is {}", locale_, now.locale_);
  if (now.handlers_ != handlers_) return "a signal has another handler";
  if (now.umask_ != umask_)
    return fmt::format("the umask was {:o} and is {:o}", umask_, now.umask_);
  if (now.arithmetic_ != arithmetic_) {
    return fmt::format("the floating-point mode was {:#x} and is {:#x}", arithmetic_,
                       now.arithmetic_);
  }
  return "";
}

std::size_t open_files() {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  std::size_t count = 0;
  constexpr rlim_t most = 4096;
  for (rlim_t file = 0; file < std::min(limit.rlim_cur, most); ++file) {
    if (::lseek(static_cast<int>(file), 0, SEEK_CUR) >= 0 || errno != EBADF) ++count;
  }
  return count;
}

std::size_t peak_memory() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<std::size_t>(usage.ru_maxrss);
#else
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
#endif
}

}  // namespace switchyard::cli::conform
