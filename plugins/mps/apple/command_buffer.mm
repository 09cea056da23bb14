#include "apple/command_buffer.hpp"

#include "apple/dispatch.hpp"
#include "apple/entry.hpp"
#include "apple/event.hpp"
#include "apple/graph/executable.hpp"
#include "apple/memory.hpp"
#include "apple/text.hpp"

namespace mps::apple {
namespace {

void require_fours(size_t a, size_t b, size_t c, const char* what) {
  if (a % 4 != 0 || b % 4 != 0 || c % 4 != 0) {
    refuse(std::string(what) + ": offsets and sizes are multiples of 4");
  }
}

}  // namespace

CommandBuffer::CommandBuffer(id<MTLCommandQueue> queue, uint32_t group_memory_bytes)
    : commands_([MPSCommandBuffer commandBufferFromCommandQueue:queue]),
      group_memory_bytes_(group_memory_bytes) {
  if (!commands_ || !commands_.rootCommandBuffer) {
    refuse(seam::Fault::out_of_memory, "Metal gives no command buffer");
  }
  watch_root();
}

// Metal ends the process where an encoder goes that was not ended.
CommandBuffer::~CommandBuffer() {
  @autoreleasepool {
    end_encoder();
  }
}

void CommandBuffer::require_recording() const {
  if (committed_) refuse("this command buffer is committed already");
}

void CommandBuffer::watch_root() {
  id<MTLCommandBuffer> root = commands_.rootCommandBuffer;
  if (root == root_) return;
  root_ = root;
  completion_->watch(root);
}

id<MTLComputeCommandEncoder> CommandBuffer::compute_encoder() {
  require_recording();
  if (encoder_) return encoder_;
  end_encoder();
  MTLComputePassDescriptor* pass = sections_ ? sections_->compute_pass() : nil;
  encoder_ =
      pass ? [root_ computeCommandEncoderWithDescriptor:pass] : [root_ computeCommandEncoder];
  if (!encoder_) refuse(seam::Fault::out_of_memory, "Metal gives no compute encoder");
  return encoder_;
}

id<MTLBlitCommandEncoder> CommandBuffer::blit_encoder() {
  require_recording();
  if (blits_) return blits_;
  end_encoder();
  MTLBlitPassDescriptor* pass = sections_ ? sections_->blit_pass() : nil;
  blits_ = pass ? [root_ blitCommandEncoderWithDescriptor:pass] : [root_ blitCommandEncoder];
  if (!blits_) refuse(seam::Fault::out_of_memory, "Metal gives no encoder for copies");
  return blits_;
}

void CommandBuffer::end_encoder() {
  [encoder_ endEncoding];
  [blits_ endEncoding];
  encoder_ = nil;
  blits_ = nil;
}

void CommandBuffer::dispatch(const seam::Dispatch& dispatch) {
  entry([&] {
    require_valid(dispatch, group_memory_bytes_);
    encode(compute_encoder(), dispatch);
  });
}

void CommandBuffer::copy(const seam::Ref<seam::Buffer>& source, size_t source_offset,
                         const seam::Ref<seam::Buffer>& destination, size_t destination_offset,
                         size_t bytes) {
  entry([&] {
    require_fours(source_offset, destination_offset, bytes, "copy");
    id<MTLBuffer> from = metal(source);
    id<MTLBuffer> to = metal(destination);
    require_range(from, source_offset, bytes, "copy, source");
    require_range(to, destination_offset, bytes, "copy, destination");
    if (bytes == 0) return;
    [blit_encoder() copyFromBuffer:from
                      sourceOffset:source_offset
                          toBuffer:to
                 destinationOffset:destination_offset
                              size:bytes];
  });
}

void CommandBuffer::fill(const seam::Ref<seam::Buffer>& buffer, size_t offset, size_t bytes,
                         uint8_t value) {
  entry([&] {
    require_fours(offset, bytes, 0, "fill");
    id<MTLBuffer> filled = metal(buffer);
    require_range(filled, offset, bytes, "fill");
    if (bytes == 0) return;
    [blit_encoder() fillBuffer:filled range:NSMakeRange(offset, bytes) value:value];
  });
}

// MPSGraph's passes are its own and cannot be sampled. Copies that read what a graph writes can,
// and tracked hazards keep them before and after it.
void CommandBuffer::sample_beside(id<MTLBuffer> output) {
  if (!sections_ || output.length < 4) return;
  end_encoder();
  [blit_encoder() copyFromBuffer:output
                    sourceOffset:0
                        toBuffer:sections_->scratch()
               destinationOffset:0
                            size:4];
  end_encoder();
}

void CommandBuffer::run(const seam::Ref<seam::Executable>& executable,
                        std::span<const seam::Ref<seam::Buffer>> inputs,
                        std::span<const seam::Ref<seam::Buffer>> outputs) {
  entry([&] {
    require_recording();
    if (!executable) refuse("run() needs an executable and was given none");
    auto& graph = static_cast<Executable&>(*executable);
    graph.require_valid(inputs, outputs);
    id<MTLBuffer> output = metal(outputs[0]);
    sample_beside(output);
    end_encoder();
    completion_->keep(executable);
    graph.encode(commands_, inputs, outputs);
    watch_root();
    sample_beside(output);
  });
}

void CommandBuffer::wait(const seam::Ref<seam::Event>& event, uint64_t value) {
  entry([&] {
    require_recording();
    end_encoder();
    [root_ encodeWaitForEvent:metal(event) value:value];
  });
}

void CommandBuffer::signal(const seam::Ref<seam::Event>& event, uint64_t value) {
  entry([&] {
    require_recording();
    end_encoder();
    [root_ encodeSignalEvent:metal(event) value:value];
  });
}

void CommandBuffer::begin_section() {
  entry([&] {
    require_recording();
    if (!sectioned_) sections_ = Sections::make(root_.device);
    sectioned_ = true;
    if (!sections_) return;
    end_encoder();
    sections_->begin();
  });
}

void CommandBuffer::on_complete(std::function<void(seam::State, const std::string&)> callback) {
  completion_->on_complete(std::move(callback));
}

void CommandBuffer::commit() {
  entry([&] {
    require_recording();
    end_encoder();
    committed_ = true;
    completion_->close();
    [root_ commit];
  });
}

seam::State CommandBuffer::wait_until_done() {
  return entry([&] { return completion_->wait(); });
}

seam::Interval CommandBuffer::interval() const { return completion_->interval(); }

std::vector<seam::Interval> CommandBuffer::sections() const {
  return entry([&]() -> std::vector<seam::Interval> {
    if (!completion_->is_done()) refuse("a command buffer has its times once it is done");
    if (!sections_) return {};
    return sections_->read();
  });
}

}  // namespace mps::apple
