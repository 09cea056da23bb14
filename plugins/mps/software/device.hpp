// The software Metal device.
#pragma once

#include <memory>

#include "seam/seam.hpp"
#include "software/compile/compiler.hpp"
#include "software/ledger.hpp"
#include "software/settings.hpp"

namespace mps::software {

seam::DeviceInfo describe_device(const Settings& settings);

class Device final : public seam::Device {
 public:
  explicit Device(const Settings& settings);
  const seam::DeviceInfo& info() const override { return info_; }
  uint64_t allocated_bytes() const override { return ledger_->used(); }
  seam::Ref<seam::Buffer> buffer(size_t bytes, seam::StorageMode mode) override;
  seam::Ref<seam::Heap> heap(size_t bytes, seam::StorageMode mode) override;
  size_t placement_alignment() const override;
  seam::Ref<seam::Library> library(const seam::Source& source) override;
  seam::Ref<seam::Library> compiled_library(const std::string& path) override;
  seam::Ref<seam::Queue> queue(const std::string& label) override;
  seam::Ref<seam::Event> event() override;
  seam::Ref<seam::Executable> compile(const seam::Graph& graph) override;
  seam::Ref<void> capture(const std::string& path) override;

 private:
  const Settings settings_;
  const seam::DeviceInfo info_;
  const std::shared_ptr<Ledger> ledger_;
  const std::shared_ptr<const Compiler> compiler_;
};

}  // namespace mps::software
