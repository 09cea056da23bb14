// A software device whose queues fail when a test says so.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "forwarding_device.hpp"
#include "seam/seam.hpp"

namespace mps::runtime_tests {

// What goes wrong from now on.
struct Breakage {
  bool command_buffers = false;  // there are none
  bool commits = false;          // they throw
};

class BrokenCommandBuffer final : public seam::CommandBuffer {
 public:
  BrokenCommandBuffer(seam::Ref<seam::CommandBuffer> whole, const Breakage& breakage)
      : whole_(std::move(whole)), breakage_(breakage) {}

  void commit() override {
    if (breakage_.commits) throw seam::Failure(seam::Fault::device_lost, "the cable is out");
    whole_->commit();
  }

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

 private:
  const seam::Ref<seam::CommandBuffer> whole_;
  const Breakage& breakage_;
};

class BrokenQueue final : public seam::Queue {
 public:
  BrokenQueue(seam::Ref<seam::Queue> whole, const Breakage& breakage)
      : whole_(std::move(whole)), breakage_(breakage) {}

  seam::Ref<seam::CommandBuffer> command_buffer() override {
    if (breakage_.command_buffers) throw seam::Failure(seam::Fault::out_of_memory, "none left");
    return std::make_shared<BrokenCommandBuffer>(whole_->command_buffer(), breakage_);
  }

 private:
  const seam::Ref<seam::Queue> whole_;
  const Breakage& breakage_;
};

class BrokenDevice final : public ForwardingDevice {
 public:
  // `breakage` outlives the device.
  BrokenDevice(seam::Ref<seam::Device> whole, const Breakage& breakage)
      : ForwardingDevice(std::move(whole)), breakage_(breakage) {}

  seam::Ref<seam::Queue> queue(const std::string& label) override {
    return std::make_shared<BrokenQueue>(ForwardingDevice::queue(label), breakage_);
  }

 private:
  const Breakage& breakage_;
};

}  // namespace mps::runtime_tests
