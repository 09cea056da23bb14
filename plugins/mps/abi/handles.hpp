// What the ABI's handles are here.
#pragma once

#include <switchyard/plugin.h>

#include <memory>
#include <string>

#include "ops/kernel.hpp"
#include "programs/program.hpp"
#include "runtime/device.hpp"
#include "runtime/stream.hpp"
#include "switchyard/plugin/node_positions.hpp"

namespace mps {

// A sy_stream.
struct OwnedStream {
  Device& device;
  std::unique_ptr<Stream> stream;

  explicit OwnedStream(Device& owner) : device(owner), stream(owner.create_stream()) {}
  ~OwnedStream() { device.forget(*stream); }
};

// A sy_kernel: of one node a kernel, and where its tensors are among the run's; else a program.
struct PlacedKernel {
  std::unique_ptr<Kernel> kernel;
  sy::NodePositions positions;
  std::string name;      // in the profile
  bool is_ours = false;  // a kernel of this plugin's, which counts in 32 bits
  std::unique_ptr<Program> program;
};

inline PlacedKernel& placed_kernel_of(sy_kernel handle) {
  return *reinterpret_cast<PlacedKernel*>(handle);
}
inline Device& device_of(sy_device handle) { return *reinterpret_cast<Device*>(handle); }
inline OwnedStream& owned_stream_of(sy_stream handle) {
  return *reinterpret_cast<OwnedStream*>(handle);
}
inline Stream& stream_of(sy_stream handle) { return *owned_stream_of(handle).stream; }
inline Block& block_of(sy_storage handle) { return *reinterpret_cast<Block*>(handle); }

}  // namespace mps
