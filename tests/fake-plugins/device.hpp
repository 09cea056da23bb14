// A fake device and its stream.
#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "host_memory.hpp"
#include "memory.hpp"
#include "switchyard/plugin/asynchronous_stream.hpp"
#include "switchyard/plugin/synchronous_stream.hpp"

namespace fake {

// A matrix with its columns laid out one after the other, shared by the kernels that use it.
struct PackedConstant {
  std::vector<float> columns;
  uint64_t constant_id = 0;
  uint32_t references = 0;
};

class Stream;

class Device {
 public:
  explicit Device(const sy_device_listener* told = nullptr) : listener(told) {}

  const sy_device_listener* const listener;
  Memory memory;
  HostMemory host_memory;
  std::atomic<uint64_t> imports{0};   // of others' memory
  std::atomic<uint64_t> captures{0};  // of runs, and how many were replayed
  std::atomic<uint64_t> replays{0};

  void add(Stream& stream);
  void remove(Stream& stream);

  // Waits for the stream that the storage was allocated on, if it has not ended.
  void finish_home_of(sy_storage storage) const;

  // Throws the variant's fault if this run is a faulty one.
  void start_run();
  // No work runs any more when it returns.
  void recover();
  uint64_t runs() const { return runs_; }
  // What there is to tell of it, a line for each thing.
  std::string report() const;

  // The packed form of a constant, made by `pack` unless it lives; counts a reference.
  PackedConstant& acquire(uint64_t constant_id, const std::function<std::vector<float>()>& pack);
  void release(PackedConstant& constant);
  size_t packed_constants() const;

 private:
  std::atomic<uint64_t> runs_{0};
  std::atomic<uint32_t> faults_{0};
  std::atomic<bool> recovered_{false};
  mutable std::mutex streams_mutex_;
  std::set<Stream*> streams_;
  mutable std::mutex constants_mutex_;
  std::map<uint64_t, std::unique_ptr<PackedConstant>> constants_;
};

// Does its work on the caller's thread or on a thread of its own, as the variant says.
class Stream {
 public:
  using Work = std::function<void()>;

  explicit Stream(Device& on, int32_t priority = 0);
  ~Stream();

  uint64_t enqueue(Work work);
  uint64_t copy(const sy_copy_args& args);
  void flush() const;
  uint64_t completed() const;
  const volatile uint64_t* counter() const;
  void wait(uint64_t sequence) const;
  void finish() const { wait(last_); }
  // Whether it was asked before.
  bool has_told_of_failure() { return has_told_.exchange(true); }
  // The same, whether the work fails or not.
  void settle() const noexcept;
  void record(sy::Event& event);
  void notify(uint64_t sequence, std::function<void()> done) const;
  void wait_for(const sy::Event& event);

  Device& device;
  const int32_t priority;

 private:
  std::unique_ptr<sy::AsynchronousStream> worker_;  // null if synchronous
  sy::SynchronousStream done_;
  std::atomic<uint64_t> last_{0};
  std::atomic<bool> has_told_{false};
};

}  // namespace fake
