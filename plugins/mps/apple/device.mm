#include "apple/device.hpp"

#include "apple/capture.hpp"
#include "apple/device_info.hpp"
#include "apple/entry.hpp"
#include "apple/event.hpp"
#include "apple/graph/executable.hpp"
#include "apple/library.hpp"
#include "apple/memory.hpp"
#include "apple/queue.hpp"
#include "apple/text.hpp"

namespace mps::apple {

Device::Device(id<MTLDevice> device)
    : device_(device),
      info_(info_of(device)),
      placement_alignment_(apple::placement_alignment(device)) {}

uint64_t Device::allocated_bytes() const { return device_.currentAllocatedSize; }

seam::Ref<seam::Buffer> Device::buffer(size_t bytes, seam::StorageMode mode) {
  return entry([&] { return make_buffer(device_, bytes, mode); });
}

seam::Ref<seam::Heap> Device::heap(size_t bytes, seam::StorageMode mode) {
  return entry([&] { return make_heap(device_, bytes, mode); });
}

seam::Ref<seam::Library> Device::library(const seam::Source& source) {
  return entry([&] { return make_library(device_, source, info_.language); });
}

seam::Ref<seam::Library> Device::compiled_library(const std::string& path) {
  return entry([&] { return load_library(device_, path); });
}

seam::Ref<seam::Queue> Device::queue(const std::string& label) {
  return entry([&] { return make_queue(device_, label); });
}

seam::Ref<seam::Event> Device::event() {
  return entry([&]() -> seam::Ref<seam::Event> {
    id<MTLSharedEvent> event = [device_ newSharedEvent];
    if (!event) refuse(seam::Fault::out_of_memory, info_.name + " has no further event");
    return std::make_shared<Event>(event);
  });
}

seam::Ref<seam::Executable> Device::compile(const seam::Graph& graph) {
  return entry([&] { return make_executable(device_, graph, info_.bfloat16); });
}

seam::Ref<void> Device::capture(const std::string& path) {
  return entry([&] { return apple::capture(device_, path); });
}

}  // namespace mps::apple
