// [plugins.mps.options], checked.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <optional>
#include <string>

#include "runtime/allocator.hpp"
#include "runtime/stream.hpp"

namespace mps {

enum class DeviceKind { metal, software };

struct Options {
  DeviceKind device = DeviceKind::metal;
  bool unified_memory = true;  // of the software device
  bool execute = true;         // of the software device: false does nothing, to time all but it
  Watermarks watermarks;
  CommitPolicy commit;
  size_t graph_cache_bytes = size_t{256} << 20;
  uint64_t graph_constant_bytes = uint64_t{64} << 10;
  bool fast_math = false;
  std::optional<bool> fused_kernels;  // unset: where the device compiles them quickly
  bool profile = false;
  std::string capture;       // a path for a trace; empty: none
  std::string cache_folder;  // the host's, for compiled kernels; empty: none
};

// Throws sy::invalid, naming the option and what it may be.
Options read_options(const sy_host& host);

}  // namespace mps
