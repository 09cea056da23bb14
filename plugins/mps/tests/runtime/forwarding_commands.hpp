// A command buffer that does what another does, for tests to derive from.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "seam/seam.hpp"

namespace mps::runtime_tests {

class ForwardingCommandBuffer : public seam::CommandBuffer {
 public:
  explicit ForwardingCommandBuffer(seam::Ref<seam::CommandBuffer> whole)
      : whole_(std::move(whole)) {}

  void dispatch(const seam::Dispatch& dispatch) override { whole_->dispatch(dispatch); }
  void copy(const seam::Ref<seam::Buffer>& source, size_t source_offset,
            const seam::Ref<seam::Buffer>& destination, size_t destination_offset,
            size_t bytes) override {
    whole_->copy(source, source_offset, destination, destination_offset, bytes);
  }
  void fill(const seam::Ref<seam::Buffer>& buffer, size_t offset, size_t bytes,
            uint8_t value) override {
    whole_->fill(buffer, offset, bytes, value);
  }
  void run(const seam::Ref<seam::Executable>& executable,
           std::span<const seam::Ref<seam::Buffer>> inputs,
           std::span<const seam::Ref<seam::Buffer>> outputs) override {
    whole_->run(executable, inputs, outputs);
  }
  void wait(const seam::Ref<seam::Event>& event, uint64_t value) override {
    whole_->wait(event, value);
  }
  void signal(const seam::Ref<seam::Event>& event, uint64_t value) override {
    whole_->signal(event, value);
  }
  void begin_section() override { whole_->begin_section(); }
  void on_complete(std::function<void(seam::State, const std::string&)> callback) override {
    whole_->on_complete(std::move(callback));
  }
  seam::State wait_until_done() override { return whole_->wait_until_done(); }
  seam::Interval interval() const override { return whole_->interval(); }
  std::vector<seam::Interval> sections() const override { return whole_->sections(); }
  void commit() override { whole_->commit(); }

 private:
  const seam::Ref<seam::CommandBuffer> whole_;
};

}  // namespace mps::runtime_tests
