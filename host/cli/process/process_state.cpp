#include "cli/process/process_state.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace switchyard::cli {
namespace {

/// open() takes the lowest number that is free, so the streams are looked at in their order.
void open_if_closed(int stream, bool is_writable) {
  if (fcntl(stream, F_GETFD) >= 0) return;
  [[maybe_unused]] const int opened = open("/dev/null", is_writable ? O_WRONLY : O_RDONLY);
}

}  // namespace

void prepare_process() {
  open_if_closed(STDIN_FILENO, false);
  open_if_closed(STDOUT_FILENO, false);  // so that writing fails
  open_if_closed(STDERR_FILENO, true);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, nullptr);
}

}  // namespace switchyard::cli
