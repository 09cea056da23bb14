#include "apple/dispatch.hpp"

#include "apple/library.hpp"
#include "apple/memory.hpp"
#include "apple/text.hpp"

namespace mps::apple {
namespace {

constexpr uint32_t argument_slots = 31;
constexpr size_t most_bytes_by_value = 4096;
constexpr uint32_t group_memory_step = 16;

void require_argument(const seam::Argument& argument) {
  const std::string name = "[[buffer(" + std::to_string(argument.index) + ")]]";
  if (argument.index >= argument_slots) refuse(name + ": the last index is 30");
  if (argument.buffer) {
    if (argument.offset % 4 != 0) refuse(name + ": the offset is not a multiple of 4");
    require_range(metal(argument.buffer), argument.offset, 1, name.c_str());
  } else if (argument.bytes.empty() || argument.bytes.size() > most_bytes_by_value) {
    refuse(name + ": " + std::to_string(argument.bytes.size()) +
           " bytes by value; 1 to 4096 may be passed so");
  }
}

void require_groups(const seam::Dispatch& dispatch) {
  uint64_t group = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (dispatch.threads[axis] == 0 || dispatch.group[axis] == 0) {
      refuse("a dispatch of no threads");
    }
    group *= dispatch.group[axis];
    // Three extents of 32 bits would overflow; the second product already tells.
    if (group > dispatch.pipeline->max_threads_per_group()) {
      refuse("a threadgroup of " + std::to_string(group) + " threads or more; this kernel allows " +
             std::to_string(dispatch.pipeline->max_threads_per_group()));
    }
  }
}

void require_group_memory(const seam::Dispatch& dispatch, uint32_t limit) {
  const auto& pipeline = static_cast<const Pipeline&>(*dispatch.pipeline);
  uint64_t total = pipeline.metal().staticThreadgroupMemoryLength;
  for (const uint32_t bytes : dispatch.group_bytes) {
    if (bytes == 0 || bytes % group_memory_step != 0) {
      refuse("threadgroup memory of " + std::to_string(bytes) + " bytes: no multiple of 16");
    }
    total += bytes;
  }
  if (dispatch.group_bytes.size() > argument_slots || total > limit) {
    refuse("threadgroup memory of " + std::to_string(total) + " bytes; this device has " +
           std::to_string(limit));
  }
}

MTLSize metal_size(const seam::Size& size) { return MTLSizeMake(size[0], size[1], size[2]); }

}  // namespace

void require_valid(const seam::Dispatch& dispatch, uint32_t group_memory_bytes) {
  if (!dispatch.pipeline) refuse("a dispatch without a pipeline");
  for (const seam::Argument& argument : dispatch.arguments) require_argument(argument);
  require_groups(dispatch);
  require_group_memory(dispatch, group_memory_bytes);
}

void encode(id<MTLComputeCommandEncoder> encoder, const seam::Dispatch& dispatch) {
  [encoder setComputePipelineState:static_cast<const Pipeline&>(*dispatch.pipeline).metal()];
  for (const seam::Argument& argument : dispatch.arguments) {
    if (argument.buffer) {
      [encoder setBuffer:metal(argument.buffer) offset:argument.offset atIndex:argument.index];
    } else {
      [encoder setBytes:argument.bytes.data() length:argument.bytes.size() atIndex:argument.index];
    }
  }
  for (size_t index = 0; index < dispatch.group_bytes.size(); ++index) {
    [encoder setThreadgroupMemoryLength:dispatch.group_bytes[index] atIndex:index];
  }
  [encoder dispatchThreads:metal_size(dispatch.threads)
      threadsPerThreadgroup:metal_size(dispatch.group)];
}

}  // namespace mps::apple
