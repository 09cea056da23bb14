// A stream: commands gathered into command buffers, which are committed when they are worth it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/allocator.hpp"
#include "runtime/fault_record.hpp"
#include "runtime/profile.hpp"
#include "runtime/progress.hpp"
#include "seam/seam.hpp"

namespace mps {

// A command buffer is committed once it holds this much, or when somebody waits.
struct CommitPolicy {
  uint32_t operations = 64;
  uint64_t bytes = uint64_t{64} << 20;  // that the operations read and write
  // While the device still has so many to do, who records waits: work that nobody waits for must
  // not pile up, with the memory that it holds.
  uint32_t in_flight = 16;
};

// The failure that sticks to a stream; outlives it, for those who wait for its work.
class Outcome {
 public:
  // Work up to the number `good` had completed before.
  void fail(std::exception_ptr failure, uint64_t good);
  bool has_failed() const { return failed_.load(std::memory_order_acquire); }
  // Does nothing if work up to `sequence` has not failed.
  void rethrow(uint64_t sequence = UINT64_MAX) const;

 private:
  mutable std::mutex mutex_;
  std::exception_ptr failure_;
  uint64_t good_ = 0;
  std::atomic<bool> failed_{false};
};

// Numbers, batches and locks. Each record() is one operation and gets the next number. Operations
// gather in an open batch, one command buffer, until it is committed; batches complete in the order
// in which they were committed, and with one all numbers up to its last. `recording_` guards all of
// the open batch and is held while an operation is recorded; it is recursive, because an allocation
// may flush every stream, this one included. `completion_` guards what is in flight; it is taken
// after `recording_`, is held for moments, and callbacks of the device's threads take it alone.
// Temporaries go back to the allocator after the operation has its number, so that their blocks
// count as used up to it. A number is given only once its work is recorded, and never taken back.
//
// One caller at a time records; any thread may flush and wait. A failure of committed work sticks:
// what is recorded later is dropped, though its numbers complete, and waits for it throw. Who has
// waited for a failure has freed the queue: failed streams, which a host keeps for those who hold
// their numbers, take next to nothing.
class Stream {
 public:
  // `staging` is memory that the host reaches. Where `profile` is given it takes all times.
  Stream(seam::Device& device, Allocator& memory, Allocator& staging, CommitPolicy policy,
         Profile* profile = nullptr);
  // Waits for the work.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Calls `work`, which records commands of about `bytes`, and returns their number. What `work`
  // throws comes through when the commands that it has recorded are done, and then no number is
  // given: what they write is nobody's any more, and may be somebody's soon. Nor is a fault that
  // they report.
  template <typename Work>
  uint64_t record(uint64_t bytes, Work&& work) {
    limit_in_flight();
    const std::lock_guard lock(recording_);
    if (!outcome_->has_failed()) {
      const Operation operation(*this);
      try {
        work();
        keep_faults();
      } catch (...) {
        settle();
        faults_ = nullptr;
        throw;
      }
      operation_bytes_ += bytes;
      ++operations_;
    }
    return finish_operation();
  }

  // The members below are for `work`, inside of record().

  // Where commands go. Ask again after each call that may allocate: it may have been committed.
  seam::CommandBuffer& commands();
  // Memory until the commands recorded so far in this operation, and by it later, are done.
  Block& temporary(size_t bytes);
  // Memory for the host to fill now and the device to read, as long as a temporary.
  Block& upload_buffer(size_t bytes);
  // Memory for the device to fill and the host to read in a callback, as long as it is held.
  std::shared_ptr<Block> download_buffer(size_t bytes);
  // A callback for the device's thread, once the commands recorded so far are done and have not
  // failed. Must be quick. What it throws fails the stream.
  void afterwards(std::function<void()> callback);
  // What follows in this operation is `name` in the profile, if there is one.
  void begin_section(std::string_view name) {
    if (profile_ != nullptr) begin_profiled_section(name);
  }
  // For kernels that find faults in their input. Bound as a buffer, the same for all commands of
  // the operation.
  const seam::Ref<seam::Buffer>& faults();

  void flush();
  // Flushes and blocks. Throws the failure that sticks.
  void wait(uint64_t sequence);
  // Blocks for all work that is committed, after a flush unless another thread is recording, and
  // does not care whether it failed.
  void settle();

  // `event` reaches `value` when all recorded so far is done, callbacks included, or has failed,
  // and outcome() tells so.
  void signal(const seam::Ref<seam::Event>& event, uint64_t value);
  // What is recorded from now on waits, and fails if the work of `producer` has failed by then.
  void wait_for(const seam::Ref<seam::Event>& event, uint64_t value,
                const std::shared_ptr<const Outcome>& producer);

  const ProgressRef& progress() const { return progress_; }
  const std::shared_ptr<Outcome>& outcome() const { return outcome_; }
  uint64_t committed_buffers() const { return committed_; }

 private:
  struct Batch;

  // Gives temporaries back at the end of an operation, whether it has thrown or not.
  class Operation {
   public:
    explicit Operation(Stream& stream) : stream_(stream) {}
    ~Operation() { stream_.used_up_.swap(stream_.temporaries_); }
    Operation(const Operation&) = delete;

   private:
    Stream& stream_;
  };

  void begin_profiled_section(std::string_view name);
  // Blocks until fewer command buffers are in flight than the policy allows. They wait for nothing
  // but what was committed before them, so they end. Without a lock, and outside of operations.
  void limit_in_flight() {
    if (in_flight_.load(std::memory_order_relaxed) >= policy_.in_flight) wait_for_some();
  }
  void wait_for_some();
  // With recording_ held, so that nobody else counts.
  void take_turn() {
    progress_->turns.store(progress_->turns.load(std::memory_order_relaxed) + 1,
                           std::memory_order_relaxed);
  }
  void keep_faults();
  uint64_t finish_operation();
  Batch& open_batch();
  void commit();
  void start(const std::shared_ptr<Batch>& batch, seam::CommandBuffer& commands);
  void complete(Batch& batch, seam::State state, const std::string& message);
  void complete_up_to(uint64_t last);
  void let_queue_go();
  void raise(Batch& batch);
  void check(Batch& batch, seam::State state, const std::string& message);

  struct Temporary {
    Allocator* allocator;
    Block* block;
  };

  Allocator& memory_;
  Allocator& staging_;
  const CommitPolicy policy_;
  Profile* const profile_;  // may be null
  FaultRecords fault_records_;
  const ProgressRef progress_ = std::make_shared<Progress>();
  const std::shared_ptr<Outcome> outcome_ = std::make_shared<Outcome>();

  std::recursive_mutex recording_;  // an allocation inside of an operation may flush all streams
  seam::Ref<seam::Queue> queue_;    // null once the stream has failed and nothing is in flight
  seam::Ref<seam::CommandBuffer> commands_;
  std::shared_ptr<Batch> batch_;         // null while there is no command buffer
  std::unique_ptr<FaultRecord> faults_;  // of the operation; null: no kernel of it may report one
  std::vector<Temporary> temporaries_;
  std::vector<Temporary> used_up_;
  uint32_t operations_ = 0;
  uint64_t operation_bytes_ = 0;
  uint64_t committed_ = 0;

  std::mutex completion_;
  std::condition_variable completed_;
  std::atomic<uint64_t> in_flight_{0};  // committed batches that have not completed
  uint64_t committed_up_to_ = 0;        // the last number that no open batch holds
};

}  // namespace mps
