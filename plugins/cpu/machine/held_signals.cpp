#include "machine/held_signals.hpp"

#include <csignal>
#include <initializer_list>

namespace cpu {
namespace {

thread_local int depth = 0;
thread_local sigset_t before;  // the first one

sigset_t asynchronous_signals() {
  sigset_t signals;
  sigfillset(&signals);
  for (const int own : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP}) {
    sigdelset(&signals, own);
  }
  return signals;
}

}  // namespace

HeldSignals::HeldSignals() {
  if (depth++ > 0) return;
  const sigset_t held = asynchronous_signals();
  pthread_sigmask(SIG_BLOCK, &held, &before);
}

HeldSignals::~HeldSignals() {
  if (--depth == 0) pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void HeldSignals::for_good() {
  if (depth > 0) return;
  depth = 1;
  const sigset_t held = asynchronous_signals();
  pthread_sigmask(SIG_BLOCK, &held, nullptr);
}

}  // namespace cpu
