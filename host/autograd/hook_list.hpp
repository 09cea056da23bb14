#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <switchyard/hook.hpp>
#include <switchyard/tensor.hpp>

#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// Hooks in the order in which they were registered. Any thread may add, call and take out. A hook
/// is called as the one object that was registered, which may have state.
template <typename Function>
class HookList {
 public:
  /// The number by which the hook is taken out.
  std::uint64_t add(Function hook) {
    const std::scoped_lock lock(guard_);
    hooks_.push_back({next_number_, std::make_shared<const Function>(std::move(hook))});
    return next_number_++;
  }

  void remove(std::uint64_t number) {
    std::shared_ptr<const Function> taken;  // outlives the lock: it may hold handles of others
    const std::scoped_lock lock(guard_);
    for (std::size_t i = 0; i < hooks_.size(); ++i) {
      if (hooks_[i].number != number) continue;
      taken = std::move(hooks_[i].hook);
      hooks_.erase(hooks_.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }

  bool empty() const {
    const std::scoped_lock lock(guard_);
    return hooks_.empty();
  }

  /// Calls `visit` with each hook that is registered now, unless it is taken out meanwhile.
  template <typename Visit>
  void each(const Visit& visit) const {
    const std::uint64_t end = next_number();
    for (Numbered next = first_from(0, end); next.hook; next = first_from(next.number + 1, end)) {
      visit(*next.hook);
    }
  }

 private:
  struct Numbered {
    std::uint64_t number;
    std::shared_ptr<const Function> hook;
  };

  std::uint64_t next_number() const {
    const std::scoped_lock lock(guard_);
    return next_number_;
  }
  /// The first hook whose number is at least `number` and below `end`; an empty one if there is
  /// none.
  Numbered first_from(std::uint64_t number, std::uint64_t end) const {
    const std::scoped_lock lock(guard_);
    for (const Numbered& hook : hooks_) {
      if (hook.number >= number && hook.number < end) return hook;
    }
    return {number, {}};
  }

  mutable trace::QuietMutex guard_;
  std::vector<Numbered> hooks_;  // by number
  std::uint64_t next_number_ = 0;
};

/// Registers the hook.
template <typename Function>
RemovableHandle add_hook(const std::shared_ptr<HookList<Function>>& hooks, Function hook) {
  const std::uint64_t number = hooks->add(std::move(hook));
  return RemovableHandle([number, of = std::weak_ptr<HookList<Function>>(hooks)] {
    if (const auto kept = of.lock()) kept->remove(number);
  });
}

}  // namespace switchyard
