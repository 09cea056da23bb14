#include "cli/process/interruptible_work.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <thread>

#include "cli/process/exit_code.hpp"

namespace switchyard::cli {
namespace {

CancellationToken token;
std::atomic<bool> is_working{false};

void tell(std::string_view line) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

// Only what a signal handler may call.
extern "C" void note_interrupt(int) {
  if (is_working.load() && !token.is_cancelled()) {
    const int of_the_interrupted = errno;
    token.cancel();
    tell(
        "\nswitchyard: stopping after the op or step that runs now; press Ctrl-C again to "
        "end at once\n");
    errno = of_the_interrupted;
    return;
  }
  tell("\nswitchyard: interrupted\n");
  _exit(kInterrupted);
}

// A device may hold signals back in the threads that compute; this one does nothing but take them.
void start_taking_signals() {
  try {
    std::thread([] {
      for (;;) pause();
    }).detach();
  } catch (const std::system_error&) {
    return;  // no more threads: signals wait for whatever holds them back
  }
}

}  // namespace

void handle_interrupts() {
  struct sigaction action = {}, before = {};
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  start_taking_signals();
}

const CancellationToken& user_cancellation() { return token; }

InterruptibleWork::InterruptibleWork() {
  token.reset();
  is_working.store(true);
}

InterruptibleWork::~InterruptibleWork() { is_working.store(false); }

}  // namespace switchyard::cli
