#include "group.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "switchyard/plugin/guard.hpp"

namespace collective {
namespace {

using Clock = std::chrono::steady_clock;

// Between two looks at what other ranks do: a turn for them at first, then real pauses.
class Patience {
 public:
  void renew() { looks_ = 0; }
  void pause() {
    constexpr int turns = 20;
    constexpr std::chrono::microseconds shortest{50}, longest{1000};
    if (++looks_ < turns) return std::this_thread::yield();
    std::this_thread::sleep_for(std::min(shortest * (looks_ - turns + 1), longest));
  }

 private:
  int looks_ = 0;
};

}  // namespace

Group::~Group() {
  for (const Entry& entry : entries_) {
    if (entry.task.is_over()) continue;
    entry.task.meeting().fail(
        SY_PEER_LOST, sy::text(rank_text(entry.task.meeting().rank()), " did not carry out its ",
                               text_of(entry.task.call()), ", as its stream had failed"));
  }
}

void Group::add(Task task) { entries_.push_back({std::move(task), {}}); }

bool Group::is_held_up(size_t index) const {
  return std::any_of(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(index),
                     [&](const Entry& before) {
                       return !before.task.is_over() && before.task.precedes(entries_[index].task);
                     });
}

bool Group::advance_all() {
  bool any = false;
  for (size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.task.is_over()) continue;
    if (is_held_up(i)) {
      entry.moved_at = Clock::now();
      continue;
    }
    entry.task.meeting().check();
    if (!entry.task.advance()) continue;
    entry.moved_at = Clock::now();
    any = true;
  }
  return any;
}

// A rank that is lost may have done its part before: so that is looked at once more.
void Group::look_after(const Entry& entry) {
  Meeting& meeting = entry.task.meeting();
  const std::vector<uint32_t> missing = entry.task.missing();
  for (const uint32_t rank : missing) {
    if (!meeting.is_lost(rank)) continue;
    const std::vector<uint32_t> still = entry.task.missing();
    if (std::find(still.begin(), still.end(), rank) == still.end()) return;
    meeting.fail(SY_PEER_LOST,
                 sy::text(rank_text(rank), " is gone, and ", rank_text(meeting.rank()),
                          " waits for it with ", text_of(entry.task.call())));
  }
  const bool is_late = Clock::now() - entry.moved_at > meeting.timeout();
  if (meeting.timeout().count() == 0 || !is_late || missing.empty()) return;
  meeting.fail(SY_PEER_LOST,
               sy::text(rank_text(missing.front()), " did not come within ",
                        meeting.timeout().count(), " ms, while ", rank_text(meeting.rank()),
                        " waits for it with ", text_of(entry.task.call())));
}

void Group::carry_out() {
  const auto is_over = [](const Entry& entry) { return entry.task.is_over(); };
  for (Entry& entry : entries_) entry.moved_at = Clock::now();
  Patience patience;
  while (!std::all_of(entries_.begin(), entries_.end(), is_over)) {
    if (advance_all()) {
      patience.renew();
      continue;
    }
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (!entries_[i].task.is_over() && !is_held_up(i)) look_after(entries_[i]);
    }
    patience.pause();
  }
}

}  // namespace collective
