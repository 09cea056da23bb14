// All that this plugin needs of Metal, and nothing else. Two backends implement it: apple/ with
// Metal and MPSGraph, software/ with this machine's processor. Everything above is portable C++
// that cannot tell the two apart.
//
// Objects are shared, and keep alive what they need. Failures are thrown as Failure. Every call may
// be made from any thread, but a command buffer is recorded by one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "seam/graph.hpp"

namespace mps::seam {

enum class Fault : uint8_t {
  unsupported,  // this device or operating system cannot do it
  invalid,      // the call breaks this contract
  out_of_memory,
  compilation,  // the message is the compiler's, with lines of the source
  device_lost
};

class Failure : public std::runtime_error {
 public:
  Failure(Fault fault, const std::string& message) : std::runtime_error(message), fault_(fault) {}
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

template <typename T>
using Ref = std::shared_ptr<T>;

enum class Placement : uint8_t { integrated, discrete, external };
enum class StorageMode : uint8_t {
  shared,    // the host reads and writes it through host()
  exclusive  // the device's alone; its first contents are undefined
};

inline constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

struct DeviceInfo {
  std::string name;
  std::string family;  // "Apple 7", "Mac 2", "software"
  Placement placement = Placement::integrated;
  bool unified_memory = true;      // shared buffers are as fast for the device as its own
  uint64_t working_set_bytes = 0;  // recommended most, of all buffers together
  uint64_t max_buffer_bytes = 0;
  uint32_t max_threads_per_group = 0;
  uint32_t group_memory_bytes = 0;
  uint32_t simd_width = 32;  // of all kernels; 0: not the same for all
  uint32_t language = 204;   // newest Metal Shading Language: 100 x major + minor
  bool bfloat16 = false;     // in kernels and in graphs
  // The largest extents of which graphs of this system compute right values: of a matrix product's
  // matrices, and of a convolution's result.
  int64_t widest_product = unlimited;
  int64_t widest_convolution = unlimited;
  bool simdgroup_matrices = false;
  bool compiles_slowly = false;  // a library from a new text takes a second, or cannot be had
};

class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual size_t size() const = 0;
  virtual std::byte* host() const = 0;  // null for StorageMode::exclusive
};

// A block in which buffers are placed where the caller says. Placed buffers that overlap in space
// must not overlap in time.
class Heap {
 public:
  virtual ~Heap() = default;
  virtual size_t size() const = 0;
  // `offset` is a multiple of Device::placement_alignment().
  virtual Ref<Buffer> place(size_t bytes, size_t offset) = 0;
};

using Constant = std::variant<bool, int32_t, uint32_t, float>;

// Values of [[function_constant(i)]].
using Constants = std::vector<std::pair<uint32_t, Constant>>;

class Pipeline {
 public:
  virtual ~Pipeline() = default;
  virtual uint32_t max_threads_per_group() const = 0;
  virtual uint32_t simd_width() const = 0;
};

class Library {
 public:
  virtual ~Library() = default;
  virtual std::vector<std::string> functions() const = 0;
  // Throws Failure(invalid) for a function that is not there; that or (compilation) for constants.
  virtual Ref<Pipeline> pipeline(std::string_view function, const Constants& constants) = 0;
};

// A source in the Metal Shading Language. `name` stands in messages and line directives.
struct Source {
  std::string name;
  std::string_view text;
  bool fast_math = false;
};

// A counter that only rises, shared by queues and the host.
class Event {
 public:
  virtual ~Event() = default;
  virtual uint64_t value() const = 0;
  virtual void signal(uint64_t value) = 0;
  // False if `nanoseconds` have passed first; UINT64_MAX waits for ever.
  virtual bool wait(uint64_t value, uint64_t nanoseconds) = 0;
};

class Executable {
 public:
  virtual ~Executable() = default;
};

using Size = std::array<uint32_t, 3>;

// What one [[buffer(index)]] is: a buffer from `offset` on, or up to 4096 bytes by value.
struct Argument {
  uint32_t index = 0;
  Ref<Buffer> buffer;                // null: `bytes`
  size_t offset = 0;                 // a multiple of 4
  std::span<const std::byte> bytes;  // copied by dispatch()
};

struct Dispatch {
  const Pipeline* pipeline = nullptr;  // outlives the command buffer's completion
  std::span<const Argument> arguments;
  std::span<const uint32_t> group_bytes;  // of each [[threadgroup(index)]], multiples of 16
  Size threads{1, 1, 1};                  // all of them; edge groups may be smaller
  Size group{1, 1, 1};
};

enum class State : uint8_t { recording, committed, completed, failed };

// Seconds on the device's clock.
struct Interval {
  double begin = 0;
  double end = 0;
};

// Work in order: each command sees what earlier ones wrote. Commands keep their buffers and
// executables alive until the work is done.
class CommandBuffer {
 public:
  virtual ~CommandBuffer() = default;
  virtual void dispatch(const Dispatch& dispatch) = 0;
  // Offsets and sizes are multiples of 4.
  virtual void copy(const Ref<Buffer>& source, size_t source_offset, const Ref<Buffer>& destination,
                    size_t destination_offset, size_t bytes) = 0;
  virtual void fill(const Ref<Buffer>& buffer, size_t offset, size_t bytes, uint8_t value) = 0;
  // Inputs and outputs in the order of the graph's; each is contiguous from its buffer's first
  // byte.
  virtual void run(const Ref<Executable>& executable, std::span<const Ref<Buffer>> inputs,
                   std::span<const Ref<Buffer>> outputs) = 0;
  virtual void wait(const Ref<Event>& event, uint64_t value) = 0;
  virtual void signal(const Ref<Event>& event, uint64_t value) = 0;
  // What follows, up to the next call, is timed apart, where the device can. Costs an encoder.
  virtual void begin_section() = 0;
  // Called once, on a thread of the device's, which it must not block. `message` says what failed.
  virtual void on_complete(std::function<void(State, const std::string& message)> callback) = 0;
  virtual void commit() = 0;
  virtual State wait_until_done() = 0;
  // Once done: of the whole, and of each section; empty where the device cannot time sections.
  virtual Interval interval() const = 0;
  virtual std::vector<Interval> sections() const = 0;
};

// Command buffers run in the order of their commits.
class Queue {
 public:
  virtual ~Queue() = default;
  virtual Ref<CommandBuffer> command_buffer() = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual uint64_t allocated_bytes() const = 0;  // by all buffers and heaps, hidden ones included
  virtual Ref<Buffer> buffer(size_t bytes, StorageMode mode) = 0;
  virtual Ref<Heap> heap(size_t bytes, StorageMode mode) = 0;
  virtual size_t placement_alignment() const = 0;
  virtual Ref<Library> library(const Source& source) = 0;
  // What Apple's compiler has made of a source beforehand, in a file. Throws Failure(unsupported)
  // if this device cannot use it.
  virtual Ref<Library> compiled_library(const std::string& path) = 0;
  virtual Ref<Queue> queue(const std::string& label) = 0;
  virtual Ref<Event> event() = 0;
  virtual Ref<Executable> compile(const Graph& graph) = 0;
  // Writes what the device does, until the result goes, to a trace file for Apple's tools.
  virtual Ref<void> capture(const std::string& path) = 0;
};

// One thing that must hold before a device can be used.
struct Check {
  std::string name;  // "operating system"
  bool passed = false;
  std::string message;  // what was found; if not passed, how to fix it
};

// A backend of the seam.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::vector<Check> checks() const = 0;
  // Known without starting a device; empty if a check has not passed.
  virtual std::vector<DeviceInfo> devices() const = 0;
  virtual Ref<Device> open(size_t index) const = 0;
};

// Metal, or why there is none here.
const Backend& metal_backend();

}  // namespace mps::seam
