#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin_loader/watch/call_snapshot.hpp"
#include "trace/log.hpp"

namespace switchyard::watch {

/// Looks a few times per deadline at what each thread does, and tells the log of calls that do not
/// come back. It has a thread while there is a deadline. One lives as long as the process; a child
/// of fork() has its own.
class Watcher {
 public:
  static Watcher& of_process() noexcept;

  /// There is a target with that deadline, or one less.
  void add(std::chrono::milliseconds deadline);
  void remove(std::chrono::milliseconds deadline) noexcept;

  void await_readers() noexcept { const std::scoped_lock lock(guard_); }
  std::vector<std::string> calls_under_way(const CallTarget& target);

 private:
  using Time = std::chrono::nanoseconds;  // that this has watched

  /// A call that was in progress when this looked last.
  struct Seen {
    std::uint64_t changes;
    std::optional<std::uint64_t> pieces_done;
    Time since;
    Time tell_after;
    std::string told;  // what was called; "" if the log was not told yet
    bool is_here = true;
  };
  struct Line {
    trace::Level level;
    std::string text;
  };
  using SeenCalls = std::map<const Activity*, Seen>;

  bool start() noexcept;  // the caller holds guard_, as with what follows
  void watch() noexcept;  // takes it
  std::vector<Line> look() noexcept;
  void look_at_all(std::vector<Line>& lines);
  void look_at(const CallSnapshot& call, std::vector<Line>& lines);
  void tell(const CallSnapshot& call, Seen& seen, Time lasted, std::vector<Line>& lines);
  void tell_end(const Seen& seen, const char* how, std::vector<Line>& lines) const;

  std::mutex guard_;
  std::condition_variable changed_;
  std::multiset<std::chrono::milliseconds> deadlines_;
  bool has_thread_ = false;
  Time now_{0};
  SeenCalls seen_;
};

}  // namespace switchyard::watch
