// A software device whose queues fail when a test says so.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "forwarding_commands.hpp"
#include "forwarding_device.hpp"
#include "seam/seam.hpp"

namespace mps::runtime_tests {

// What goes wrong from now on.
struct Breakage {
  bool command_buffers = false;  // there are none
  bool commits = false;          // they throw
};

class BrokenCommandBuffer final : public ForwardingCommandBuffer {
 public:
  BrokenCommandBuffer(seam::Ref<seam::CommandBuffer> whole, const Breakage& breakage)
      : ForwardingCommandBuffer(std::move(whole)), breakage_(breakage) {}

  void commit() override {
    if (breakage_.commits) throw seam::Failure(seam::Fault::device_lost, "the cable is out");
    ForwardingCommandBuffer::commit();
  }

 private:
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
