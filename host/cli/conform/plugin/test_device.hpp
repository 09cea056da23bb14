// A device of the plugin under test, opened through the C table, and what is made on it. All give
// back what they hold when they end, the device last; what fails then is a late failure.
#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <vector>

#include "cli/conform/case.hpp"
#include "cli/conform/plugin/call.hpp"
#include "plugin_loader/plugin.hpp"

namespace switchyard::cli::conform {

/// What a host gives to `open_device`. To be told of a loss, while a device should work, is a late
/// failure.
const sy_device_listener& test_listener();

class TestDevice {
 public:
  /// Opens the device that the run is about; `listener` lives longer than this. Throws CaseSkipped
  /// where it is not available.
  explicit TestDevice(CaseRun& run, const sy_device_listener& listener = test_listener());
  /// A device of the same host.
  TestDevice(const TestDevice& beside, std::uint32_t index);
  ~TestDevice();
  TestDevice(const TestDevice&) = delete;
  TestDevice& operator=(const TestDevice&) = delete;

  CaseRun& run() const { return run_; }
  const Plugin& plugin() const { return *plugin_; }
  const sy_plugin& slots() const { return plugin_->table(); }
  const sy_device_info& info() const { return info_; }
  std::uint32_t index() const { return index_; }
  bool has(std::uint32_t flag) const { return (info_.flags & flag) != 0; }
  bool synchronous() const { return has(SY_DEVICE_SYNCHRONOUS); }
  sy_device handle() const { return handle_; }

  /// Closes it and opens it again: handles from before are gone.
  void reopen();
  /// Bytes that it says storages use; nothing if it does not count them.
  std::uint64_t used_bytes() const;

 private:
  TestDevice(CaseRun& run, std::shared_ptr<const Plugin> plugin, std::uint32_t index,
             const sy_device_listener& listener);
  void open();
  void close();

  CaseRun& run_;
  const std::shared_ptr<const Plugin> plugin_;
  const std::uint32_t index_;
  const sy_device_info& info_;
  const sy_device_listener& listener_;
  sy_device handle_ = nullptr;
};

/// A queue of work, whose numbers it checks. One caller at a time, but for `wait` and `completed`.
class TestStream {
 public:
  explicit TestStream(TestDevice& device, std::int32_t priority = 0);
  ~TestStream();
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;

  TestDevice& device() const { return device_; }
  sy_stream handle() const { return handle_; }

  /// Takes the number of work that was just enqueued. Fails the case if it is not the next.
  std::uint64_t enqueued(std::string_view slot, std::uint64_t number);
  std::uint64_t last() const { return last_; }

  std::uint64_t completed() const;
  /// The counter that create_stream gave; null if none.
  const volatile std::uint64_t* counter() const { return counter_; }
  Answer try_wait(std::uint64_t number) const;
  /// Fails the case where the work did, or where the number has not completed then.
  void wait(std::uint64_t number) const;
  void finish() const { wait(last_); }
  void flush() const;

  Answer try_copy(DType dtype, const Dims& shape, const sy_region& source,
                  const sy_region& destination);
  /// Enqueues a copy; finish() before the other side's bytes are looked at.
  std::uint64_t copy(DType dtype, const Dims& shape, const sy_region& source,
                     const sy_region& destination);

 private:
  TestDevice& device_;
  sy_stream handle_ = nullptr;
  const volatile std::uint64_t* counter_ = nullptr;
  std::atomic<std::uint64_t> last_{0};
};

class TestStorage {
 public:
  /// `stream`: null, or the one that uses it first.
  TestStorage(TestDevice& device, std::uint64_t size_bytes, const TestStream* stream = nullptr);
  /// One that import_memory has given.
  struct Imported {
    sy_storage handle;
  };
  TestStorage(TestDevice& device, Imported imported, std::uint64_t size_bytes)
      : device_(device), handle_(imported.handle), size_bytes_(size_bytes) {}
  ~TestStorage();
  TestStorage(const TestStorage&) = delete;
  TestStorage& operator=(const TestStorage&) = delete;

  sy_storage handle() const { return handle_; }
  std::uint64_t size_bytes() const { return size_bytes_; }
  sy_region region(std::uint64_t offset_bytes = 0, const std::int64_t* strides = nullptr) const;

  /// All its bytes, through the stream, which is finished then.
  void write(TestStream& stream, std::span<const std::byte> bytes) const;
  std::vector<std::byte> read(TestStream& stream) const;
  void release();

 private:
  TestDevice& device_;
  sy_storage handle_ = 0;
  std::uint64_t size_bytes_;
};

sy_region host_region(const void* pointer, const std::int64_t* strides = nullptr);

}  // namespace switchyard::cli::conform
