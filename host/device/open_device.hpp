#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "device/status.hpp"
#include "device/stream.hpp"
#include "device/thread_context.hpp"
#include "memory/allocator.hpp"
#include "plugin_loader/plugin.hpp"
#include "plugin_loader/plugin_api.hpp"
#include "plugin_loader/watch/call_target.hpp"
#include "trace/quiet_mutex.hpp"
#include "trace/timeline.hpp"

namespace switchyard {

struct Engine;
class OpenDevice;

/// One open processor: its memory, its default stream, its health. Held by its engine, which its
/// storages hold, and by its kernels. Always made by std::make_shared.
class OpenDevice final : public MemorySource, public std::enable_shared_from_this<OpenDevice> {
 public:
  /// Opens device `index` of the plugin. Throws what the plugin says if it cannot. Whether memory
  /// is cached is the device's to say, whatever `limits` says. What the device does is written to
  /// `timeline`, if there is one.
  OpenDevice(std::shared_ptr<const Plugin> plugin, std::uint32_t index, std::uint32_t ordinal,
             Allocator::Limits limits, std::shared_ptr<trace::Timeline> timeline = nullptr);
  ~OpenDevice();
  OpenDevice(const OpenDevice&) = delete;
  OpenDevice& operator=(const OpenDevice&) = delete;

  /// What opened it, for functions that know a tensor alone. Whoever holds a tensor or a handle of
  /// with_engine() keeps it.
  /// Says that the configuration has another device in its place, or none: what is kept on it in
  /// case that it is used again may go.
  void retire() { retired_.store(true, std::memory_order_relaxed); }
  bool is_retired() const { return retired_.load(std::memory_order_relaxed); }

  Engine* engine() const { return engine_.load(std::memory_order_acquire); }
  /// The same, kept; null where it has gone.
  std::shared_ptr<Engine> shared_engine() const { return kept_engine_.lock(); }
  void set_engine(const std::shared_ptr<Engine>& engine);
  /// For users: keeps what opened it, and so all that computing on it needs.
  std::shared_ptr<OpenDevice> with_engine();

  const std::string& name() const { return name_; }   // "plugin:0"
  std::uint32_t ordinal() const { return ordinal_; }  // dense among the open devices of a runtime
  const Plugin& plugin() const { return *plugin_; }
  const PluginApi& api() const { return api_; }
  /// Who is called where the device is.
  const watch::CallTarget& calls() const { return calls_; }
  sy_device handle() const { return handle_; }
  const sy_device_info& info() const { return info_; }
  bool has(std::uint32_t flag) const { return (info_.flags & flag) != 0; }
  bool takes_offset(std::int64_t bytes) const {
    return bytes == 0 || (info_.offset_alignment != 0 && bytes % info_.offset_alignment == 0);
  }
  bool addressable() const { return info_.memory_kind == SY_MEMORY_ADDRESS; }
  /// Whether its `copy` reads the memory of `other`.
  bool reaches(const OpenDevice& other) const;
  /// Whether both are one processor, which two plugins drive.
  bool is_same_processor(const OpenDevice& other) const;

  /// Where this thread's work goes: the stream of its innermost StreamScope on this device, else
  /// the device's own. Another thread may replace that one when its work fails, so a piece of work
  /// asks once: memory is waited for and used on one stream.
  OpenStream& stream() {
    quarantined();
    if (thread_context.stream_device == this) [[unlikely]] {
      thread_context.stream->check_alive();
      return *thread_context.stream;
    }
    return *stream_.load(std::memory_order_acquire);
  }
  /// A stream beside the device's own, which stays as long as the device; work of higher
  /// priorities goes first.
  OpenStream& add_stream(std::int32_t priority = 0);
  /// Waits for the work of all streams, those that were replaced included. Throws the first error
  /// of work that failed and that no wait has told of yet.
  void synchronize();
  Allocator& allocator() {
    quarantined();
    return *allocator_;
  }
  trace::Timeline* timeline() const { return timeline_.get(); }  // null: nothing is to be written

  /// Throws the failed call's error; a fault of the device puts it into quarantine first.
  void check_call(sy_status status, const sy_error& error, std::string_view call) {
    if (status != SY_OK) [[unlikely]]
      fail_call(status, error, call);
  }

  /// The same for a call that gives something back: its caller cannot fail, so the log is told.
  void note_call(sy_status status, const sy_error& error, std::string_view call) noexcept {
    if (status != SY_OK) [[unlikely]]
      note_failure(status, error, call);
  }

  /// Calls an entry as switchyard::try_call does; what nobody uses is given back to make room. All
  /// that can fail are called so, but for `allocate` and `run`, whose callers know more ways out.
  template <typename Function, typename Args>
  sy_status try_call(const Function& function, Args& args, PluginError& error) {
    return switchyard::try_call(function, args, error, [this] { allocator_->reclaim(); });
  }
  /// The same, throwing the error of a call that fails.
  template <typename Function, typename Args>
  void call(const Function& function, Args& args, std::string_view name) {
    PluginError error;
    check_call(try_call(function, args, error), error, name);
  }

  /// True while the device has failed and has not recovered; tries to recover when it is time. So
  /// does whoever asks for a stream or for memory, who may compute nothing.
  bool quarantined() { return faulted_.load(std::memory_order_acquire) && !recovers_in_time(); }
  /// Rises when the device comes back after a fault: kernels are made anew. Where it was lost, so
  /// are its storages and streams.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  /// What it failed with, for people.
  std::string fault() const;

  /// Puts a fresh stream in place of one that an error sticks to; tensors that it wrote stay
  /// poisoned. False if that has been done already.
  bool replace_stream(const OpenStream& failed);

  /// Work under way: a stream, which may have been replaced since, and its number there.
  struct Enqueued {
    OpenStream* stream;
    std::uint64_t sequence;

    void wait() const { stream->wait(sequence); }
  };

  /// Enqueues a copy on one of its streams between two regions, at least one of them in its memory.
  Enqueued copy(OpenStream& on, sy_dtype dtype, std::span<const std::int64_t> shape,
                const sy_region& source, const sy_region& destination);

  Block allocate_block(std::size_t bytes) override;
  void release_block(std::uint64_t handle) noexcept override;
  std::size_t trim_blocks() noexcept override;

 private:
  [[noreturn]] void fail_call(sy_status status, const sy_error& error, std::string_view call);
  void note_failure(sy_status status, const sy_error& error, std::string_view call) noexcept;
  static void hear_of_loss(void* context, const char* message) noexcept;
  void take_told_loss();  // the caller holds fault_guard_
  [[noreturn]] void refuse_misaligned(std::uint64_t handle);
  bool quarantine_if_due(sy_status status, const char* failure);  // true if it is so due to this
  bool quarantines(sy_status status);                             // the caller holds fault_guard_
  void quarantine(std::string failure);                           // the same
  bool recovers_in_time();                                        // takes it
  bool recover();                                                 // the same
  bool use_fresh_stream();                                        // the same

  std::atomic<bool> retired_{false};
  std::atomic<Engine*> engine_{nullptr};
  const std::shared_ptr<const Plugin> plugin_;
  const std::uint32_t ordinal_;
  const std::string name_;
  const watch::CallTarget calls_;
  const PluginApi api_;  // its calls are told of as calls of the device
  const sy_device_info& info_;
  const std::uint32_t index_;  // among its plugin's
  const std::shared_ptr<trace::Timeline> timeline_;
  const sy_device_listener listener_;
  sy_device handle_ = nullptr;
  std::vector<std::unique_ptr<OpenStream>> streams_;  // all that ever were: work may name them
  std::vector<const OpenStream*> added_;              // by add_stream()
  std::atomic<OpenStream*> stream_{nullptr};
  std::unique_ptr<Allocator> allocator_;

  std::atomic<bool> faulted_{false};
  std::atomic<std::uint64_t> generation_{0};
  mutable trace::QuietMutex fault_guard_;
  std::string fault_;
  // What the plugin told unasked: under a lock of its own, as that may be in the middle of a call.
  trace::QuietMutex told_guard_;
  std::string told_loss_;
  std::atomic<std::thread::id> recovering_{};  // the thread that has recover() give back memory
  std::chrono::steady_clock::time_point retry_at_;
  static constexpr std::chrono::milliseconds kFirstRetry{100}, kLastRetry{60'000};
  static constexpr std::uint32_t kMostTransientFailures = 8;
  static constexpr std::chrono::seconds kTransientFailuresCount{1};  // that much apart they do not
  std::chrono::milliseconds retry_after_ = kFirstRetry;
  std::weak_ptr<Engine> kept_engine_;  // set once, before anybody else sees the device

  bool lost_ = false;  // what the device held is gone
  std::uint32_t transient_failures_ = 0;
  std::chrono::steady_clock::time_point last_transient_failure_;
};

/// Rises whenever a cached route may have become wrong: a device failed or recovered, or the
/// configuration changed. Read on the hot path.
extern std::atomic<std::uint64_t> route_epoch;

}  // namespace switchyard
