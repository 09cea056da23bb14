/// A process that serves a plugin, as it is called.
#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin_loader/isolation/host_lane.hpp"
#include "plugin_loader/isolation/host_wire.hpp"
#include "plugin_loader/isolation/server_process.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard::isolation {

struct ChildTerms {
  std::filesystem::path program;
  std::string plugin;                  // its name in the configuration
  std::chrono::milliseconds deadline;  // of a call; 0: none
  const sy_host* host;                 // takes messages for the log
};

/// An answer whose texts and structs live as long as this.
struct KeptAnswer {
  std::vector<std::byte> bytes;
  Scratch scratch;
};

/// Once it has ended it stays so: handles of it stay valid to be destroyed.
class Child {
 public:
  /// Starts the process. Throws std::system_error.
  Child(Arena& arena, ChildTerms terms);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool ended() const noexcept { return process_->ended(); }
  pid_t process_id() const noexcept { return process_->id(); }
  Arena& arena() const noexcept { return arena_; }
  /// "its process 123 crashed (signal 11, SIGSEGV)"
  std::string how_it_ended() const;
  /// Whether this is a child of fork(), which shares its parent's memory: it may read what lies
  /// there, but neither write it nor call.
  bool is_anothers() const noexcept { return process_->is_anothers(); }
  /// Throws StaleHandle there.
  void check_is_own() const;
  /// Whether a call has ever returned SY_DEVICE_LOST.
  bool told_loss() const noexcept { return told_loss_.load(std::memory_order_acquire); }

  /// Makes a call in the process, with handles of the host's in `args`; what it makes there are the
  /// server's. SY_DEVICE_LOST, if the process ends meanwhile, or is ended as it does not answer in
  /// time. `kept` is for args that the callee gives texts and structs.
  template <typename Args>
  sy_status call(Call call, Args& args, sy_error* error, const CallContext& context = {},
                 KeptAnswer* kept = nullptr) noexcept;

  /// Gives back what an ended process used: lanes, a thread, a descriptor.
  void clean_up() noexcept;

 private:
  class Lease;
  using Clock = std::chrono::steady_clock;

  template <typename Args>
  sy_status exchange(HostLane& lane, Call call, Args& args, sy_error* error,
                     const CallContext& context, KeptAnswer* kept) noexcept;
  std::unique_ptr<HostLane> take_lane();
  void give_lane(std::unique_ptr<HostLane> lane) noexcept;
  /// Until the server answers, with what it asks meanwhile done.
  void converse(HostLane& lane, Call call, const CallContext& context);
  /// Until the server hands over. `began` is when the call did, or last made progress.
  void await(HostLane& lane, Call call, const CallContext& context, Clock::time_point& began);
  void check_time(Call call, const CallContext& context, Clock::time_point& began);
  /// What the server asked.
  void serve(HostLane& lane, const CallContext& context);
  bool makes_progress(const CallContext& context) noexcept;
  void serve_allocate(HostLane& lane, const CallContext& context);
  void serve_write(HostLane& lane, const CallContext& context);
  void serve_log(HostLane& lane);
  /// The status of the answer, with what is told beside it; SY_OK leaves the reader at its fields.
  sy_status read_status(MessageReader& reader, sy_error* error, const CallContext& context);
  /// The host is told that the device is lost.
  void note_lost(const CallContext& context) noexcept;
  /// For the exception in flight.
  sy_status report(sy_error* error, Call call, const CallContext& context) noexcept;

  Arena& arena_;
  const ChildTerms terms_;
  trace::QuietMutex guard_;
  std::vector<std::unique_ptr<HostLane>> free_;
  std::vector<const LaneState*> lanes_;  // of all that there are
  std::atomic<bool> told_loss_{false};
  std::unique_ptr<ServerProcess> process_;
};

/// One lane for as long as a call takes.
class Child::Lease {
 public:
  explicit Lease(Child& child) : child_(child), lane_(child.take_lane()) {}
  ~Lease() { child_.give_lane(std::move(lane_)); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  HostLane& operator*() const noexcept { return *lane_; }

 private:
  Child& child_;
  std::unique_ptr<HostLane> lane_;
};

template <typename Args>
sy_status Child::call(Call call, Args& args, sy_error* error, const CallContext& context,
                      KeptAnswer* kept) noexcept {
  sy_status status = SY_OK;
  try {
    const Lease lease(*this);
    status = exchange(*lease, call, args, error, context, kept);
  } catch (...) {  // there is no lane
    status = report(error, call, context);
  }
  if (status == SY_DEVICE_LOST) note_lost(context);
  return status;
}

template <typename Args>
sy_status Child::exchange(HostLane& lane, Call call, Args& args, sy_error* error,
                          const CallContext& context, KeptAnswer* kept) noexcept try {
  RequestWriter request(lane.request(), *this, context);
  carry(request, args);
  lane.post(call, request.size());
  converse(lane, call, context);
  MessageReader answer = lane.message();
  if (kept != nullptr) {
    const std::byte* const begin = answer.view(0, 1);
    kept->bytes.assign(begin, begin + answer.left());
    answer = {kept->bytes.data(), kept->bytes.size()};
  }
  const sy_status status = read_status(answer, error, context);
  if (status != SY_OK) return status;
  AnswerReader reader(answer, kept != nullptr ? &kept->scratch : nullptr);
  carry(reader, args);
  return SY_OK;
} catch (...) {
  return report(error, call, context);
}

}  // namespace switchyard::isolation
