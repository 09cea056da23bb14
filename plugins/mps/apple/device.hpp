// One device of Metal's.
#pragma once

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

class Device final : public seam::Device {
 public:
  explicit Device(id<MTLDevice> device);
  const seam::DeviceInfo& info() const override { return info_; }
  uint64_t allocated_bytes() const override;
  seam::Ref<seam::Buffer> buffer(size_t bytes, seam::StorageMode mode) override;
  seam::Ref<seam::Heap> heap(size_t bytes, seam::StorageMode mode) override;
  size_t placement_alignment() const override { return placement_alignment_; }
  seam::Ref<seam::Library> library(const seam::Source& source) override;
  seam::Ref<seam::Library> compiled_library(const std::string& path) override;
  seam::Ref<seam::Queue> queue(const std::string& label) override;
  seam::Ref<seam::Event> event() override;
  seam::Ref<seam::Executable> compile(const seam::Graph& graph) override;
  seam::Ref<void> capture(const std::string& path) override;

 private:
  id<MTLDevice> device_;
  seam::DeviceInfo info_;
  size_t placement_alignment_;
};

}  // namespace mps::apple
