// Recorded work. It goes through an MPSCommandBuffer, because MPSGraph may commit in the middle and
// go on in a new command buffer of Metal's; all but graphs is encoded into the root of the moment.
#pragma once

#include <memory>

#include "apple/completion.hpp"
#include "apple/frameworks.hpp"
#include "apple/sections.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

class CommandBuffer final : public seam::CommandBuffer {
 public:
  CommandBuffer(id<MTLCommandQueue> queue, uint32_t group_memory_bytes);
  ~CommandBuffer() override;
  void dispatch(const seam::Dispatch& dispatch) override;
  void copy(const seam::Ref<seam::Buffer>& source, size_t source_offset,
            const seam::Ref<seam::Buffer>& destination, size_t destination_offset,
            size_t bytes) override;
  void fill(const seam::Ref<seam::Buffer>& buffer, size_t offset, size_t bytes,
            uint8_t value) override;
  void run(const seam::Ref<seam::Executable>& executable,
           std::span<const seam::Ref<seam::Buffer>> inputs,
           std::span<const seam::Ref<seam::Buffer>> outputs) override;
  void wait(const seam::Ref<seam::Event>& event, uint64_t value) override;
  void signal(const seam::Ref<seam::Event>& event, uint64_t value) override;
  void begin_section() override;
  void on_complete(std::function<void(seam::State, const std::string&)> callback) override;
  void commit() override;
  seam::State wait_until_done() override;
  seam::Interval interval() const override;
  std::vector<seam::Interval> sections() const override;

 private:
  void require_recording() const;
  void watch_root();
  id<MTLComputeCommandEncoder> compute_encoder();
  id<MTLBlitCommandEncoder> blit_encoder();
  void end_encoder();
  void sample_beside(id<MTLBuffer> output);

  MPSCommandBuffer* commands_;
  id<MTLCommandBuffer> root_;             // of the moment; watched
  id<MTLComputeCommandEncoder> encoder_;  // open from one dispatch to the next
  id<MTLBlitCommandEncoder> blits_;       // open from one copy to the next
  uint32_t group_memory_bytes_;
  bool committed_ = false;
  bool sectioned_ = false;
  std::shared_ptr<Completion> completion_ = std::make_shared<Completion>();
  std::unique_ptr<Sections> sections_;
};

}  // namespace mps::apple
