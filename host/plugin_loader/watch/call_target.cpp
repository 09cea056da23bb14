#include "plugin_loader/watch/call_target.hpp"

#include "plugin_loader/watch/watcher.hpp"

namespace switchyard::watch {

CallTarget::CallTarget(std::string name, std::string plugin, std::chrono::milliseconds deadline)
    : name_(std::move(name)),
      plugin_(std::move(plugin)),
      deadline_(deadline),
      watcher_(Watcher::of_process()) {
  if (deadline_.count() > 0) watcher_.add(deadline_);
}

// A child of fork() has another watcher.
CallTarget::~CallTarget() {
  if (deadline_.count() > 0 && &watcher_ == &Watcher::of_process()) watcher_.remove(deadline_);
  await_readers();
}

std::vector<std::string> CallTarget::calls_under_way() const {
  return Watcher::of_process().calls_under_way(*this);
}

void await_readers() noexcept { Watcher::of_process().await_readers(); }

}  // namespace switchyard::watch
