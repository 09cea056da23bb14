#include "cli/train_interruption.hpp"

#include <csignal>

namespace switchyard::cli {
namespace {

volatile std::sig_atomic_t wanted = 0;
struct sigaction before;

extern "C" void note_interruption(int) { wanted = 1; }

}  // namespace

Interruption::Interruption() {
  wanted = 0;
  struct sigaction action = {};
  action.sa_handler = note_interruption;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before);
}

Interruption::~Interruption() { sigaction(SIGINT, &before, nullptr); }

bool Interruption::is_wanted() const { return wanted != 0; }

}  // namespace switchyard::cli
