// One dispatch as the executor takes it: all is checked but what only running shows.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "software/settings.hpp"
#include "software/shim/interface.h"

namespace mps::software {

constexpr uint32_t max_group_threads = 1024;
constexpr uint32_t max_group_memory = 32768;
constexpr uint32_t simd_width = 32;

struct Call {
  const msl::Kernel* kernel = nullptr;
  // As msl::Library has it, with its argument; null where the kernel needs no constants.
  void (*set_constants)(const void* const* values) = nullptr;
  const void* const* constants = nullptr;
  std::vector<void*> buffers;          // by index; null where not bound
  std::vector<uint32_t> group_memory;  // bytes, by index
  std::array<uint32_t, 3> threads{1, 1, 1};
  std::array<uint32_t, 3> group{1, 1, 1};
};

// What a kernel does that no device would forgive.
class KernelFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace mps::software
