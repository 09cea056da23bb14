// A device that does what another does, for tests to derive from.
#pragma once

#include <string>
#include <utility>

#include "seam/seam.hpp"

namespace mps::runtime_tests {

class ForwardingDevice : public seam::Device {
 public:
  explicit ForwardingDevice(seam::Ref<seam::Device> whole) : whole_(std::move(whole)) {}

  const seam::DeviceInfo& info() const override { return whole_->info(); }
  uint64_t allocated_bytes() const override { return whole_->allocated_bytes(); }
  seam::Ref<seam::Buffer> buffer(size_t bytes, seam::StorageMode mode) override {
    return whole_->buffer(bytes, mode);
  }
  seam::Ref<seam::Heap> heap(size_t bytes, seam::StorageMode mode) override {
    return whole_->heap(bytes, mode);
  }
  size_t placement_alignment() const override { return whole_->placement_alignment(); }
  seam::Ref<seam::Library> library(const seam::Source& source) override {
    return whole_->library(source);
  }
  seam::Ref<seam::Library> compiled_library(const std::string& path) override {
    return whole_->compiled_library(path);
  }
  seam::Ref<seam::Queue> queue(const std::string& label) override { return whole_->queue(label); }
  seam::Ref<seam::Event> event() override { return whole_->event(); }
  seam::Ref<seam::Executable> compile(const seam::Graph& graph) override {
    return whole_->compile(graph);
  }
  seam::Ref<void> capture(const std::string& path) override { return whole_->capture(path); }

 private:
  const seam::Ref<seam::Device> whole_;
};

}  // namespace mps::runtime_tests
