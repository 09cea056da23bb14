// What a translated library and the executor know of each other. Included by both, so it needs no
// other header, and its layout is fixed by this text alone.
#pragma once

namespace msl {

// The size and alignment of the stack on which a kernel with collectives runs. Sanitizers widen
// frames.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned long stack_bytes = 512 * 1024;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr unsigned long stack_bytes = 512 * 1024;
#else
constexpr unsigned long stack_bytes = 64 * 1024;
#endif
#else
constexpr unsigned long stack_bytes = 64 * 1024;
#endif
// Where in such a stack the address of its Group stands.
constexpr unsigned long group_slot = stack_bytes - 64;

// One thread of a threadgroup.
struct Lane {
  unsigned position[3];
  unsigned position_in_grid[3];
  unsigned index;  // in the threadgroup
  unsigned short lane;
  unsigned short simdgroup;
  void* payload;  // of the collective at which it is parked
};

// Computes a collective for all the lanes that reached it together.
using Resolver = void (*)(Lane* const* lanes, unsigned count);

enum class Scope : unsigned char { simdgroup, threadgroup };

// One threadgroup while it runs.
struct Group {
  void* const* buffers;       // [[buffer(n)]]
  void* const* group_memory;  // [[threadgroup(n)]]
  unsigned position[3];
  unsigned size[3];  // of this group: at an edge smaller than full_size
  unsigned full_size[3];
  unsigned grid[3];   // threads
  unsigned count[3];  // groups
  unsigned threads;
  unsigned simdgroups;
  bool backwards;  // the order of threads, where a kernel has no collectives
  Lane* current;
  // The memory of a `threadgroup` variable.
  void* (*variable)(Group*, unsigned slot, unsigned long bytes, unsigned long alignment);
  // Returns once the lanes that take part are there and `resolver` has run.
  void (*park)(Group*, Scope, unsigned site, Resolver resolver, void* payload);
  // The next lane to start, or null; ends the current one.
  Lane* (*next)(Group*);
};

enum class Role : unsigned char { buffer, group_memory, value };

struct Parameter {
  Role role;
  bool writes;
  bool reference;  // `size` bytes must be there
  unsigned short index;
  unsigned size;  // of one element
  unsigned alignment;
};

struct Kernel {
  const char* name;
  void (*run)(Group*);
  bool collective;  // has barriers or SIMD-group functions: each thread needs a stack
  const Parameter* parameters;
  unsigned parameter_count;
  const unsigned* constants;  // the [[function_constant(n)]] that it needs
  unsigned constant_count;
};

struct FunctionConstant {
  unsigned index;
  const char* type;
  const char* name;
};

struct Library {
  const Kernel* kernels;
  unsigned kernel_count;
  const FunctionConstant* constants;
  unsigned constant_count;
  // For kernels that the calling thread runs from then on. `values` are those of `constants`; null
  // where one stays what it is.
  void (*set_constants)(const void* const* values);
};

}  // namespace msl
