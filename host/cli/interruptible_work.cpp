#include "cli/interruptible_work.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

#include "cli/exit_code.hpp"

namespace switchyard::cli {
namespace {

CancellationToken token;
std::atomic<bool> is_working{false};

// Only what a signal handler may call.
extern "C" void note_interrupt(int) {
  if (is_working.load() && !token.is_cancelled()) return token.cancel();
  constexpr std::string_view line = "\nswitchyard: interrupted\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  _exit(kInterrupted);
}

}  // namespace

void handle_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

const CancellationToken& user_cancellation() { return token; }

InterruptibleWork::InterruptibleWork() {
  token.reset();
  is_working.store(true);
}

InterruptibleWork::~InterruptibleWork() { is_working.store(false); }

}  // namespace switchyard::cli
