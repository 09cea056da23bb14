// What stands behind the handles. A host that names dead ones is for the validation layer to find,
// which stands in front of this plugin in the tests.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "settings.hpp"
#include "switchyard/plugin/asynchronous_stream.hpp"

namespace late {

struct Stream;

// Held while anything of this file but a stream's worker is read or changed.
std::mutex& everything();

struct Device {
  Settings settings;
  std::mutex dice_guard;  // some calls throw the dice without the lock on everything
  std::mt19937_64 dice;
  std::multimap<std::pair<Stream*, uint64_t>, char*> free;  // by home and size
  sy_device inner = nullptr;

  bool happens(int64_t per_mille) {
    if (per_mille <= 0) return false;
    const std::lock_guard lock(dice_guard);
    return static_cast<int64_t>(dice() % 1000) < per_mille;
  }
};

struct Storage {
  uint64_t size = 0;
  char* bytes = nullptr;
  Stream* home = nullptr;  // on devices that cache memory; null once the stream is destroyed
  bool is_imported = false;
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
  std::shared_ptr<sy::StreamState> state;
  std::thread worker;
  std::mt19937_64 dice;       // the worker's own
  uint64_t last = 0;          // the last number given out
  Overwrites overwrites;      // of memory that was released
  sy_stream inner = nullptr;  // of the kernels' plugin
};

struct Event {
  std::shared_ptr<sy::StreamState> stream;  // null: not recorded
  uint64_t sequence = 0;
};

struct Kernel {
  std::vector<uint32_t> input_flags;
  std::vector<sy_output_mode> output_modes;
  uint64_t workspace = 0;
  sy_kernel inner = nullptr;

  bool has_deferred() const;
};

inline Device& object(sy_device handle) { return *reinterpret_cast<Device*>(handle); }
inline Stream& object(sy_stream handle) { return *reinterpret_cast<Stream*>(handle); }
inline Event& object(sy_event handle) { return *reinterpret_cast<Event*>(handle); }
inline Kernel& object(sy_kernel handle) { return *reinterpret_cast<Kernel*>(handle); }

// The caller of these holds everything(). Throws sy::invalid for a storage that there is not.
Storage& find(sy_storage handle);
sy_storage keep(const Device& device, Storage storage);
void forget(sy_storage handle);
// No storage is at home on it any more.
void forget_home(Device& device, Stream& stream);

// Enqueues work that is done late, or fails late, as the settings say. The caller holds
// everything().
uint64_t enqueue(Stream& stream, std::function<void()> work);

}  // namespace late
