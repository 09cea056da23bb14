// The plugin through its table, as a host sees it. What a slot returns, other than SY_OK, is thrown
// as sy::Failure.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "seam/seam.hpp"
#include "switchyard/plugin/guard.hpp"

namespace mps::runtime_tests {

template <typename Args>
Args make_args() {
  Args args{};
  args.struct_size = sizeof(args);
  return args;
}

// Fills in struct_size, calls the slot, throws what it returns.
template <typename Args>
void call(sy_status (*slot)(Args*, sy_error*), Args& args) {
  args.struct_size = sizeof(args);
  auto error = make_args<sy_error>();
  const sy_status status = slot(&args, &error);
  if (status != SY_OK) throw sy::Failure(status, error.reason, error.message);
}

// The options of one host, and the host.
class Host {
 public:
  Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  Host& text(const char* key, const char* value);
  Host& integer(const char* key, int64_t value);
  Host& real(const char* key, double value);
  Host& flag(const char* key, bool value);

  const sy_host& raw();

 private:
  sy_option& add(const char* key, sy_option_kind kind);

  std::vector<sy_option> options_;
  sy_host host_{};
};

// Enters the plugin; throws what the entry says.
const sy_plugin& enter(Host& host);

// What `software.memory` may be: a Mac's memory is as it is.
inline std::vector<const char*> memory_kinds() {
#if defined(__APPLE__)
  return {"unified"};
#else
  return {"unified", "discrete"};
#endif
}

// The device of these tests, open: Metal's first on a Mac, else the software device.
class OpenDevice {
 public:
  // Options beside `device`.
  struct Option {
    const char* key;
    const char* text;  // null: `integer`
    int64_t integer = 0;
    bool is_flag = false;
  };
  explicit OpenDevice(const std::vector<Option>& options = {});
  // If it is set, what every OpenDevice is opened on instead.
  static seam::Ref<seam::Device> (*stand_in)();
  ~OpenDevice();
  OpenDevice(const OpenDevice&) = delete;
  OpenDevice& operator=(const OpenDevice&) = delete;

  const sy_plugin& table() const { return *table_; }
  sy_device handle() const { return device_; }

  // `stream` null: for nobody in particular.
  sy_storage allocate(size_t bytes, sy_stream stream) const;
  void release(sy_storage storage) const;
  uint64_t trim() const;
  sy_memory_statistics_args statistics() const;
  std::string report() const;

 private:
  Host host_;
  const sy_plugin* table_;
  sy_device device_ = nullptr;
};

class OpenStream {
 public:
  explicit OpenStream(const OpenDevice& device);
  ~OpenStream();
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;

  sy_stream handle() const { return stream_; }
  const OpenDevice& device() const { return device_; }
  void wait(uint64_t sequence) const;
  void flush() const;
  uint64_t completed() const;

  uint64_t copy(sy_dtype dtype, const std::vector<int64_t>& shape, const sy_region& source,
                const sy_region& destination) const;
  // Whole storages, from and to their first byte.
  uint64_t upload(const void* bytes, size_t count, sy_storage storage) const;
  uint64_t download(sy_storage storage, void* bytes, size_t count) const;

 private:
  const OpenDevice& device_;
  sy_stream stream_ = nullptr;
};

class OpenEvent {
 public:
  explicit OpenEvent(const OpenDevice& device);
  ~OpenEvent();
  OpenEvent(const OpenEvent&) = delete;
  OpenEvent& operator=(const OpenEvent&) = delete;

  void record(const OpenStream& stream) const;
  void delay(const OpenStream& stream) const;
  void wait() const;

 private:
  void call_on(sy_status (*slot)(sy_event_args*, sy_error*), sy_stream stream) const;

  const OpenDevice& device_;
  sy_event event_ = nullptr;
};

sy_region host_region(const void* pointer, const int64_t* strides = nullptr, uint64_t offset = 0);
sy_region storage_region(sy_storage storage, const int64_t* strides = nullptr, uint64_t offset = 0);

}  // namespace mps::runtime_tests
