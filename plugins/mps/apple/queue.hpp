// Command buffers, one after another.
#pragma once

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

class Queue final : public seam::Queue {
 public:
  Queue(id<MTLCommandQueue> queue, uint32_t group_memory_bytes)
      : queue_(queue), group_memory_bytes_(group_memory_bytes) {}
  seam::Ref<seam::CommandBuffer> command_buffer() override;

 private:
  id<MTLCommandQueue> queue_;
  uint32_t group_memory_bytes_;
};

// Throws Failure(out_of_memory).
seam::Ref<seam::Queue> make_queue(id<MTLDevice> device, const std::string& label);

}  // namespace mps::apple
