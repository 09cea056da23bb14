#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/forks.hpp"
#include "device/status.hpp"
#include "memory/stream_progress.hpp"
#include "plugin_loader/watch/thread_calls.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

class OpenDevice;

/// An ordered queue of work on one device. Callers take turns; on devices that complete work before
/// the call returns and take several callers at once, there is nothing to take turns for. At most
/// kMostInFlight pieces of work are under way: who enqueues more waits, so that results which
/// nobody waits for do not pile up.
class OpenStream final : public StreamProgress, public watch::WorkUnderWay {
 public:
  static constexpr std::uint64_t kMostInFlight = 4096;

  explicit OpenStream(OpenDevice& device, std::int32_t priority = 0);
  ~OpenStream();
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;

  sy_stream handle() const { return handle_; }
  bool synchronous() const { return synchronous_; }

  /// Enqueues through `call`, which calls `entry` of the plugin and returns the number it gave.
  /// One caller at a time. Throws, when the work is over, if that is not the stream's next.
  template <typename Enqueue>
  std::uint64_t enqueue(std::string_view entry, Enqueue&& call) {
    if (concurrent_) return call();
    std::scoped_lock turn(turn_);
    make_way();
    const Enqueuing enqueuing(*this);
    const std::uint64_t sequence = call();
    if (lost_.load(std::memory_order_acquire)) [[unlikely]]
      finish_late(sequence);
    if (!synchronous_ && sequence != last_enqueued() + 1) [[unlikely]]
      report_misnumbered(entry, sequence);
    last_.store(sequence, std::memory_order_release);
    return sequence;
  }

  /// Calls the plugin with args that name the stream, for which nothing is enqueued, as its one
  /// caller.
  template <typename Drive>
  sy_status drive(Drive&& call) {
    std::scoped_lock turn(turn_);
    return call();
  }

  /// Notes what a piece of work is, for who is told later that it failed: an op, and the node of a
  /// model, or "". To be called while enqueuing; only of streams that work asynchronously.
  void note(std::uint64_t sequence, std::string_view op, std::string_view node) noexcept;

  std::uint64_t completed() noexcept override;
  /// Comes back, with or without an error, when the work is over; not before, whatever the plugin
  /// says, unless the device is lost.
  void wait(std::uint64_t sequence) override;
  bool follow(StreamProgress& other, std::uint64_t sequence) override;
  std::uint64_t last_begun() override;
  /// Until all that was enqueued so far has completed. Throws the error that sticks to the stream.
  void synchronize();
  /// Whether work up to `sequence` has completed. If not, sends off what the plugin has gathered,
  /// so that asking again leads somewhere.
  bool poll(std::uint64_t sequence);
  /// Sends off what the plugin has gathered but not started.
  void flush();
  /// Waits for all that was enqueued so far and that no wait has answered for, with or without an
  /// error. Throws the error of work that failed.
  void wait_for_unanswered();
  /// Calls `done` once, from any thread, perhaps before it returns, when work up to `sequence` has
  /// completed, failed or been lost. False, with `done` as it was, if the plugin does not tell.
  bool notify(std::uint64_t sequence, std::function<void()>& done);
  /// Marks with a plugin's event the work so far, or makes later work wait for what one marks.
  void record(sy_event event);
  void wait_for(sy_event event);
  /// Says that the device has lost it, with all its work: the plugin is asked for nothing more but
  /// to destroy it, and whoever uses it is told. Its work may still run: who waits for it waits on.
  void lose() { lost_.store(true, std::memory_order_release); }
  /// Says that no work of a lost stream runs any more.
  void end_lost_work() {
    over_.store(true, std::memory_order_release);
    over_.notify_all();
  }
  void check_alive() const {
    if (lost_.load(std::memory_order_acquire)) [[unlikely]]
      report_lost();
  }
  std::uint64_t last_enqueued() const { return last_.load(std::memory_order_acquire); }
  /// Nothing without a counter in memory: a plugin that hangs is asked for nothing more.
  std::optional<std::uint64_t> pieces_done() const noexcept override;
  std::string description() const override;

 private:
  /// While it lives, this thread has the stream's turn.
  class Enqueuing {
   public:
    explicit Enqueuing(const OpenStream& stream) noexcept : outer_(here_) { here_ = &stream; }
    ~Enqueuing() { here_ = outer_; }
    Enqueuing(const Enqueuing&) = delete;
    Enqueuing& operator=(const Enqueuing&) = delete;
    static bool is_at(const OpenStream& stream) noexcept { return here_ == &stream; }

   private:
    static thread_local constinit inline const OpenStream* here_ = nullptr;
    const OpenStream* outer_;
  };

  [[noreturn]] void report_lost() const;
  [[noreturn]] void refuse_in_child() const;
  /// Whether it does its work on threads that only a parent of this process has.
  bool is_of_parent() const { return !synchronous_ && forks_ != fork_count(); }
  void check_process() const {
    if (is_of_parent()) [[unlikely]]
      refuse_in_child();
  }
  struct Failure {
    std::uint64_t sequence;  // the first that it may concern
    sy_status status;
    PluginError error;
  };
  struct Note {
    std::uint64_t sequence = 0;
    std::string op, node;
  };

  /// Work of another stream that later work of this one comes after.
  struct Followed {
    std::uint64_t from;  // the first number here that does
    OpenStream* stream;
    std::uint64_t sequence;
  };

  bool follows(const OpenStream& other, std::uint64_t sequence) const;
  std::vector<Followed> followed_before(std::uint64_t sequence) const;
  void wait_for_followed(std::uint64_t sequence);
  /// For work that failed: whoever is told of that need not be told of what it follows.
  void answer_for_followed(std::uint64_t sequence) noexcept;
  void make_way();  // the caller has its turn
  sy_status wait_until_over(std::uint64_t sequence, PluginError& error) noexcept;
  /// For work that the plugin calls sound: a failure that it may concern, and that the plugin has
  /// told of and forgotten; or SY_OK.
  sy_status known_failure(std::uint64_t sequence, PluginError& error);
  void keep_failure(sy_status status, const PluginError& error);
  /// For work that was enqueued while the device was being lost: its recovery may not have seen it.
  void finish_late(std::uint64_t sequence) noexcept;
  void report_misnumbered(std::string_view entry, std::uint64_t given);
  std::string first_failed(std::uint64_t sequence);
  /// "node 'a' (Relu)": the first work of these numbers that has a note; the caller holds
  /// notes_guard_. Copies have no note.
  std::optional<std::string> first_noted(std::uint64_t first, std::uint64_t last) const;
  std::string suspect_from(std::uint64_t failed, std::uint64_t last) const;
  void answer_for(std::uint64_t sequence) noexcept;

  OpenDevice& device_;
  sy_stream handle_ = nullptr;
  const volatile std::uint64_t* counter_ = nullptr;
  const bool synchronous_;
  const bool concurrent_;
  std::uint32_t forks_ = 0;  // fork_count() where it was made
  trace::QuietMutex turn_;
  std::atomic<std::uint64_t> last_{0};
  std::atomic<std::uint64_t> answered_{0};  // what a wait has answered for
  mutable trace::QuietMutex notes_guard_;
  std::optional<Failure> failure_;      // with notes_guard_, as is what follows
  std::uint64_t sound_ = 0;             // the last number of which a wait told no error
  std::vector<Note> notes_;             // of the latest work, by number; none once one has failed
  std::optional<std::string> suspect_;  // what first_failed() came to
  std::vector<Followed> followed_;      // that no wait has found sound
  std::atomic<bool> follows_any_{false};
  std::uint64_t seen_ = 0;  // a number that has completed; of who has the turn
  std::atomic<bool> lost_{false};
  std::atomic<bool> over_{false};  // lost, and no work of it runs
};

}  // namespace switchyard
