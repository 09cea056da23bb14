// An open device: its memory, its streams, and what was compiled for it.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "runtime/allocator.hpp"
#include "runtime/executable_cache.hpp"
#include "runtime/generated_kernels.hpp"
#include "runtime/kernel_libraries.hpp"
#include "runtime/options.hpp"
#include "runtime/pending_downloads.hpp"
#include "runtime/profile.hpp"
#include "runtime/stream.hpp"
#include "seam/seam.hpp"

namespace mps {

// Any thread may call any member.
class Device {
 public:
  Device(seam::Ref<seam::Device> metal, const Options& options);

  seam::Device& metal() { return *metal_; }
  const seam::DeviceInfo& info() const { return metal_->info(); }

  // Of tensors. On a device with unified memory the host can read it.
  Allocator& memory() { return memory_; }
  // What the host and the device both reach.
  Allocator& staging() { return staging_ ? *staging_ : memory_; }

  std::unique_ptr<Stream> create_stream();
  void forget(Stream& stream);
  // Commits what all streams have recorded, and waits.
  void wait_for_all();
  // Gives free memory back; returns how many bytes.
  size_t trim();

  // Of the host memory that the device's streams still have to fill.
  PendingDownloads& downloads() { return downloads_; }
  // Null unless the options ask for it.
  const Profile* profile() const { return options_.profile ? &profile_ : nullptr; }

  // One of our kernels, as KernelLibraries has it. Lives as long as the device.
  const seam::Pipeline& pipeline(const std::string& function,
                                 const seam::Constants& constants = {}) {
    return kernels_.pipeline(function, constants);
  }
  KernelLibraries& kernels() { return kernels_; }
  // A kernel of a text that was written for a program.
  seam::Ref<seam::Pipeline> pipeline_of(const std::string& text, const std::string& function) {
    return generated_kernels_.find_or_compile(text, function);
  }
  // True if chains of elementwise ops become kernels that are compiled for them.
  bool writes_kernels() const { return options_.fused_kernels.value_or(!info().compiles_slowly); }
  seam::Ref<seam::Executable> executable(const seam::Graph& graph) {
    return executables_.find_or_compile(graph);
  }
  ExecutableCache& executables() { return executables_; }
  // Constants of a program up to this size are part of its graphs.
  uint64_t graph_constant_bytes() const { return options_.graph_constant_bytes; }
  bool fast_math() const { return options_.fast_math; }

 private:
  void wait_and_trim();

  const seam::Ref<seam::Device> metal_;
  const Options options_;
  Allocator memory_;
  std::unique_ptr<Allocator> staging_;  // null where memory_ serves
  ExecutableCache executables_;
  KernelLibraries kernels_;
  GeneratedKernels generated_kernels_;
  PendingDownloads downloads_;
  Profile profile_;
  std::mutex streams_guard_;
  std::set<Stream*> streams_;
  seam::Ref<void> capture_;
};

}  // namespace mps
