// What the plugin knows of every handle that it has ever given out. None is freed, so that a handle
// that was destroyed is recognised when it comes back.
#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "settings.hpp"
#include "switchyard/plugin/asynchronous_stream.hpp"

namespace checking {

struct Device;
struct Stream;

// Held while anything of this file but a stream's worker is read or changed.
std::mutex& everything();

// For each stream, the last number that is known to have completed.
using Knowledge = std::map<const Stream*, uint64_t>;

struct Use {
  uint64_t read = 0;  // the last number that reads, and that writes
  uint64_t write = 0;
  std::string what;
};

struct Storage {
  uint64_t id = 0;
  Device* device = nullptr;
  uint64_t size = 0;
  char* bytes = nullptr;
  Stream* home = nullptr;    // on devices that cache memory
  uint64_t fresh_after = 0;  // numbers of `home` up to this may still use the memory
  bool is_released = false;
  bool is_imported = false;
  int mappings = 0;
  std::map<Stream*, Use> uses;
};

// Memory that is overwritten once the work that may still use it is over: within the last number
// that may, as other streams may use the memory once they know that number to be done.
class Overwrites {
 public:
  // Overwrites at once if numbers up to `last` are done, else together with that number.
  void add(uint64_t last, char* bytes, uint64_t size);

  // To be called within each number's work, as its last step.
  void finish_number();

 private:
  struct Memory {
    uint64_t last;
    char* bytes;
    uint64_t size;
  };

  std::mutex guard_;
  uint64_t finished_ = 0;
  std::vector<Memory> waiting_;
};

struct Stream {
  Device* device = nullptr;
  uint32_t id = 0;
  bool is_destroyed = false;
  std::shared_ptr<sy::StreamState> state;
  std::thread worker;
  std::mt19937_64 dice;                      // the worker's own
  std::atomic<const char*> caller{nullptr};  // the call that drives the stream
  uint64_t last = 0;                         // the last number given out
  Overwrites overwrites;                     // of memory that was released
  uint64_t seen = 0;                         // what the host has been told has completed
  Knowledge ordered_after;                   // by events
  sy_stream inner = nullptr;                 // of the kernels' plugin
};

struct Event {
  Device* device = nullptr;
  bool is_destroyed = false;
  Stream* stream = nullptr;  // null: not recorded
  uint64_t sequence = 0;
  Knowledge ordered_after;
};

// A program input or output as it was prepared.
struct Port {
  uint32_t flags = 0;
  sy_dtype dtype = 0;
  uint32_t rank = SY_UNKNOWN_RANK;
  std::vector<int64_t> shape;
  bool has_strides = false;
  std::vector<int64_t> strides;
  std::vector<char> data;  // of host inputs
  uint8_t specialised_on = 0;
  sy_output_mode mode = SY_OUTPUT_EXACT;
  uint64_t may_alias = 0;
};

struct Kernel {
  Device* device = nullptr;
  bool is_destroyed = false;
  std::string op;  // of its first node
  std::vector<Port> inputs, outputs;
  uint64_t workspace = 0;
  bool has_deferred = false;
  std::map<Stream*, uint64_t> uses;
  sy_kernel inner = nullptr;
};

struct Device {
  Settings settings;
  uint32_t index = 0;
  bool is_closed = false;
  std::mutex dice_guard;  // some calls throw the dice without the lock on everything
  std::mt19937_64 dice;
  uint64_t storages = 0, streams = 0, events = 0, kernels = 0;  // alive
  std::map<sy_constant, uint32_t> constants;                    // references not yet released
  std::multimap<std::pair<Stream*, uint64_t>, char*> free;      // by home and size
  sy_device inner = nullptr;

  bool happens(int64_t per_mille) {
    if (per_mille <= 0) return false;
    const std::lock_guard lock(dice_guard);
    return static_cast<int64_t>(dice() % 1000) < per_mille;
  }
};

// The object behind a handle. A handle that was never given out, or was destroyed, is a violation;
// null if it was never given out.
Device* find(sy_device handle, const char* call);
Stream* find(sy_stream handle, const char* call);
Event* find(sy_event handle, const char* call);
Kernel* find(sy_kernel handle, const char* call);
Storage* find(const Device& device, sy_storage handle, const std::string& call);

// Give an object a handle.
sy_device keep(std::unique_ptr<Device> device);
sy_stream keep(std::unique_ptr<Stream> stream);
sy_event keep(std::unique_ptr<Event> event);
sy_kernel keep(std::unique_ptr<Kernel> kernel);
sy_storage keep(std::unique_ptr<Storage> storage);

}  // namespace checking
