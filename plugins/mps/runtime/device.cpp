#include "runtime/device.hpp"

#include "runtime/own_folder.hpp"

namespace mps {

Device::Device(seam::Ref<seam::Device> metal, const Options& options)
    : metal_(std::move(metal)),
      options_(options),
      memory_(
          *metal_,
          metal_->info().unified_memory ? seam::StorageMode::shared : seam::StorageMode::exclusive,
          options.watermarks, [this] { wait_and_trim(); }),
      executables_(*metal_, options.graph_cache_bytes),
      kernels_(*metal_, options.fast_math, own_kernel_folder()),
      generated_kernels_(*metal_, options.fast_math) {
  if (!metal_->info().unified_memory) {
    staging_ = std::make_unique<Allocator>(*metal_, seam::StorageMode::shared, options.watermarks,
                                           [this] { wait_and_trim(); });
  }
  if (!options.capture.empty()) capture_ = metal_->capture(options.capture);
}

std::unique_ptr<Stream> Device::create_stream() {
  auto stream = std::make_unique<Stream>(*metal_, memory_, staging(), options_.commit,
                                         options_.profile ? &profile_ : nullptr);
  const std::lock_guard lock(streams_guard_);
  streams_.insert(stream.get());
  return stream;
}

void Device::forget(Stream& stream) {
  const std::lock_guard lock(streams_guard_);
  streams_.erase(&stream);
}

void Device::wait_for_all() {
  const std::lock_guard lock(streams_guard_);
  for (Stream* stream : streams_) stream->settle();
}

void Device::wait_and_trim() {
  wait_for_all();
  trim();
}

size_t Device::trim() { return memory_.trim() + (staging_ ? staging_->trim() : 0); }

}  // namespace mps
