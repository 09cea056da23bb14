// A device that notes what it is told to run.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "forwarding_commands.hpp"
#include "forwarding_device.hpp"

namespace mps::runtime_tests {

struct Noted {
  std::string function;
  seam::Constants constants;
  seam::Size threads;
};

// The dispatches of a device, in their order.
class Notes {
 public:
  void add(const seam::Pipeline* pipeline, Noted made) {
    const std::lock_guard lock(mutex_);
    made_[pipeline] = std::move(made);
  }
  void add(const seam::Dispatch& dispatch) {
    const std::lock_guard lock(mutex_);
    Noted noted = made_[dispatch.pipeline];
    noted.threads = dispatch.threads;
    dispatches_.push_back(std::move(noted));
  }
  // Those since the last call.
  std::vector<Noted> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(dispatches_, {});
  }

 private:
  std::mutex mutex_;
  std::map<const seam::Pipeline*, Noted> made_;
  std::vector<Noted> dispatches_;
};

class RecordingLibrary final : public seam::Library {
 public:
  RecordingLibrary(seam::Ref<seam::Library> whole, std::shared_ptr<Notes> notes)
      : whole_(std::move(whole)), notes_(std::move(notes)) {}
  std::vector<std::string> functions() const override { return whole_->functions(); }
  seam::Ref<seam::Pipeline> pipeline(std::string_view function,
                                     const seam::Constants& constants) override {
    auto made = whole_->pipeline(function, constants);
    notes_->add(made.get(), {std::string(function), constants, {}});
    return made;
  }

 private:
  const seam::Ref<seam::Library> whole_;
  const std::shared_ptr<Notes> notes_;
};

class RecordingCommandBuffer final : public ForwardingCommandBuffer {
 public:
  RecordingCommandBuffer(seam::Ref<seam::CommandBuffer> whole, std::shared_ptr<Notes> notes)
      : ForwardingCommandBuffer(std::move(whole)), notes_(std::move(notes)) {}
  void dispatch(const seam::Dispatch& dispatch) override {
    notes_->add(dispatch);
    ForwardingCommandBuffer::dispatch(dispatch);
  }

 private:
  const std::shared_ptr<Notes> notes_;
};

class RecordingQueue final : public seam::Queue {
 public:
  RecordingQueue(seam::Ref<seam::Queue> whole, std::shared_ptr<Notes> notes)
      : whole_(std::move(whole)), notes_(std::move(notes)) {}
  seam::Ref<seam::CommandBuffer> command_buffer() override {
    return std::make_shared<RecordingCommandBuffer>(whole_->command_buffer(), notes_);
  }

 private:
  const seam::Ref<seam::Queue> whole_;
  const std::shared_ptr<Notes> notes_;
};

class RecordingDevice final : public ForwardingDevice {
 public:
  RecordingDevice(seam::Ref<seam::Device> whole, std::shared_ptr<Notes> notes)
      : ForwardingDevice(std::move(whole)), notes_(std::move(notes)) {}
  seam::Ref<seam::Library> library(const seam::Source& source) override {
    return std::make_shared<RecordingLibrary>(ForwardingDevice::library(source), notes_);
  }
  seam::Ref<seam::Queue> queue(const std::string& label) override {
    return std::make_shared<RecordingQueue>(ForwardingDevice::queue(label), notes_);
  }

 private:
  const std::shared_ptr<Notes> notes_;
};

}  // namespace mps::runtime_tests
