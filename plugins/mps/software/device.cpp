#include "software/device.hpp"

#include "software/command_buffer.hpp"
#include "software/compiled_in.hpp"
#include "software/event.hpp"
#include "software/executor/call.hpp"
#include "software/interpreter/interpreter.hpp"
#include "software/library.hpp"
#include "software/memory.hpp"
#include "software/queue.hpp"

namespace mps::software {

seam::DeviceInfo describe_device(const Settings& settings) {
  const uint64_t memory = settings.memory_bytes ? settings.memory_bytes : default_memory_limit();
  seam::DeviceInfo info;
  info.name = "Software Metal device";
  info.family = "software";
  info.placement = settings.unified ? seam::Placement::integrated : seam::Placement::discrete;
  info.unified_memory = settings.unified;
  info.working_set_bytes = memory;
  info.max_buffer_bytes = memory;
  info.max_threads_per_group = max_group_threads;
  info.group_memory_bytes = max_group_memory;
  info.simd_width = simd_width;
  info.language = 301;
  info.bfloat16 = true;
  info.simdgroup_matrices = true;
  info.compiles_slowly = true;
  return info;
}

Device::Device(const Settings& settings)
    : settings_(settings),
      info_(describe_device(settings)),
      ledger_(std::make_shared<Ledger>(info_.working_set_bytes)),
      compiler_(std::make_shared<const Compiler>(settings.compiler, settings.cache_folder)) {}

seam::Ref<seam::Buffer> Device::buffer(size_t bytes, seam::StorageMode mode) {
  return std::make_shared<OwnBuffer>(ledger_, bytes, mode);
}

seam::Ref<seam::Heap> Device::heap(size_t bytes, seam::StorageMode mode) {
  return std::make_shared<Heap>(ledger_, bytes, mode);
}

size_t Device::placement_alignment() const { return software::placement_alignment; }

// What the build compiled is precise, as our own kernels always are here, which fast arithmetic
// allows; a user's source gets what it asks for, even if its text is one of ours.
bool serves(const CompiledIn& known, const seam::Source& source) {
  const bool is_ours = known.text.data() == source.text.data();
  return is_ours || (!source.fast_math && known.text == source.text);
}

seam::Ref<seam::Library> Device::library(const seam::Source& source) {
  for (const CompiledIn& known : compiled_in()) {
    if (serves(known, source)) return std::make_shared<Library>(*known.library);
  }
  return std::make_shared<Library>(*compiler_, source);
}

seam::Ref<seam::Library> Device::compiled_library(const std::string& path) {
  throw seam::Failure(seam::Fault::unsupported,
                      path + ": the software device takes no libraries of Apple's compiler");
}

seam::Ref<seam::Queue> Device::queue(const std::string&) {
  return std::make_shared<Queue>(settings_);
}

seam::Ref<seam::Event> Device::event() { return std::make_shared<Event>(); }

seam::Ref<seam::Executable> Device::compile(const seam::Graph& graph) {
  check_graph(graph);
  return std::make_shared<Executable>(graph);
}

seam::Ref<void> Device::capture(const std::string&) {
  throw seam::Failure(seam::Fault::unsupported,
                      "the software device writes no trace for Apple's tools");
}

}  // namespace mps::software
