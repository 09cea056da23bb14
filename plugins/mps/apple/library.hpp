// Kernels: from text to pipelines.
#pragma once

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

class Pipeline final : public seam::Pipeline {
 public:
  explicit Pipeline(id<MTLComputePipelineState> state) : state_(state) {}
  uint32_t max_threads_per_group() const override;
  uint32_t simd_width() const override;
  id<MTLComputePipelineState> metal() const { return state_; }

 private:
  id<MTLComputePipelineState> state_;
};

class Library final : public seam::Library {
 public:
  explicit Library(id<MTLLibrary> library) : library_(library) {}
  std::vector<std::string> functions() const override;
  seam::Ref<seam::Pipeline> pipeline(std::string_view function,
                                     const seam::Constants& constants) override;

 private:
  id<MTLLibrary> library_;
};

// `language` is DeviceInfo::language. Throws Failure(compilation).
seam::Ref<seam::Library> make_library(id<MTLDevice> device, const seam::Source& source,
                                      uint32_t language);

// Throws Failure(unsupported) if Metal does not take the file.
seam::Ref<seam::Library> load_library(id<MTLDevice> device, const std::string& path);

}  // namespace mps::apple
