// What the layer knows of each handle that lives. All members are read and written under the mutex
// of the plugin (plugin.hpp), but for those that say otherwise.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "settings.hpp"

namespace validation {

struct Device;
struct Plugin;
struct Storage;
struct Stream;

// What all of them have. `id` is the number that violations tell.
struct Object {
  uint64_t id = 0;
  std::shared_ptr<Device> device;
  uint64_t generation = 0;  // the device's when it was made: how often it had been recovered
  int calls = 0;            // that use it and have not returned
};

// For each stream, the last number that is known to have completed.
using Knowledge = std::map<std::shared_ptr<Stream>, uint64_t>;

// One host that the plugin was entered for.
struct Entered {
  const sy_host* host = nullptr;
  Settings settings;
  std::vector<sy_device_info> devices;  // as it was probed last; the claims are the plugin's
};

struct Device : Object {
  sy_device inner = nullptr;
  std::shared_ptr<Entered> entered;
  sy_device_info info = {};
  bool is_lost = false;     // some call has said so, and `recover` has not been called since
  uint64_t recoveries = 0;  // of losses: handles of earlier generations are dead
  // The newest generation of which a thread has used or been given a handle, or which it has made
  // by calling `recover`; none is 0. From then on it knows that older handles are dead. Another
  // thread may not know yet, and what it enqueues meanwhile is no violation.
  std::unordered_map<uint64_t, uint64_t> known_generations;
  uint64_t storages = 0, streams = 0, events = 0, kernels = 0;  // that live
  std::map<sy_constant, uint64_t> constants;                    // references not yet released
  // Host memory by its address: work that copies it is noted as if it read a storage.
  std::map<uint64_t, std::shared_ptr<Storage>> own_host_memory, registered_host_memory;
  Plugin* plugin = nullptr;
  const sy_device_listener* listener = nullptr;  // the host's
  sy_device_listener own_listener = {};          // what the plugin tells: it passes it on

  bool is(uint32_t flag) const { return (info.flags & flag) != 0; }
};

// What a stream's work does with a storage.
struct Use {
  uint64_t read = 0;  // the last number that reads, and that writes
  uint64_t write = 0;
  std::string what;
};

struct Storage : Object {
  sy_storage inner = 0;
  uint64_t size = 0;
  std::shared_ptr<Stream> home;  // on devices that cache memory: the stream it was allocated for
  uint64_t fresh_after = 0;      // numbers of `home` up to this may still use the memory
  bool is_imported = false;
  std::shared_ptr<Stream> ready;  // imported with an event: its number 1 is the event, or null
  // Where handles are addresses, what has the same one: memory outlives its imports, so that the
  // last import ends first.
  std::shared_ptr<Storage> below;
  char* canary = nullptr;  // bytes behind the last one, which nobody may write
  int mappings = 0;
  std::map<std::shared_ptr<Stream>, Use> uses;  // of devices that work late
  int reading = 0, writing = 0;                 // calls under way, of devices that do not
};

// Later work of a stream waits for another's: from the number after `after` on.
struct Order {
  uint64_t after;
  std::shared_ptr<Stream> stream;
  uint64_t sequence;
};

struct Stream : Object {
  sy_stream inner = nullptr;
  const volatile uint64_t* counter = nullptr;  // where the host may read how far it has come
  const char* caller = nullptr;                // the call that drives it
  uint64_t last = 0;                           // the last number that was given
  uint64_t seen = 0;                           // what the host has been told has completed
  Knowledge ordered_after;                     // by events
  std::vector<Order> orders;                   // the same, with where in its work
};

struct Event : Object {
  sy_event inner = nullptr;
  bool is_timed = false;
  std::shared_ptr<Stream> stream;  // null: not recorded
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
  std::vector<int64_t> strides;  // that it had, or that the plan proposes
  std::vector<char> data;        // of host inputs
  uint8_t specialised_on = 0;
  bool may_be_strided = true;
  bool original_unneeded = false;
  sy_output_mode mode = SY_OUTPUT_EXACT;
  uint64_t may_alias = 0;
};

// All that tells one run's tensors from another's, in words.
using RunTensors = std::vector<uint64_t>;

// How much scratch memory a run with these tensors wants.
struct Workspace {
  RunTensors tensors;
  uint64_t bytes;
};

struct Kernel : Object {
  sy_kernel inner = nullptr;
  std::string op;  // of its first node
  bool is_compiled = false;
  std::vector<Port> inputs, outputs;
  bool has_open_outputs = true;  // of any extents and ranks that follow from a run's inputs
  uint64_t workspace = 0;
  // What was answered for the run that a thread is about to make.
  std::map<std::thread::id, Workspace> asked_workspace;
  bool wants_bindings = false;
  std::map<uint64_t, RunTensors> bindings;  // the tensors of each number
  std::map<std::shared_ptr<Stream>, uint64_t> uses;
};

}  // namespace validation
