#include "apple/queue.hpp"

#include "apple/command_buffer.hpp"
#include "apple/entry.hpp"
#include "apple/text.hpp"

namespace mps::apple {
namespace {

// A queue out of command buffers makes the next recorder wait; Metal's own 64 are soon in flight
// where a graph is split into many.
constexpr NSUInteger most_unfinished = 512;

}  // namespace

seam::Ref<seam::CommandBuffer> Queue::command_buffer() {
  return entry([&]() -> seam::Ref<seam::CommandBuffer> {
    return std::make_shared<CommandBuffer>(queue_, group_memory_bytes_);
  });
}

seam::Ref<seam::Queue> make_queue(id<MTLDevice> device, const std::string& label) {
  id<MTLCommandQueue> queue = [device newCommandQueueWithMaxCommandBufferCount:most_unfinished];
  if (!queue) refuse(seam::Fault::out_of_memory, utf8(device.name) + " has no further queue");
  queue.label = ns_string(label);
  return std::make_shared<Queue>(queue, static_cast<uint32_t>(device.maxThreadgroupMemoryLength));
}

}  // namespace mps::apple
