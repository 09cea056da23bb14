#pragma once

#include <cstddef>
#include <memory>

namespace switchyard {

class OpenDevice;

/// Host memory for copies to and from a device: of the device's own making where it has such, which
/// it copies without the processor's help, else of the host's.
class CopyBuffer {
 public:
  /// Throws Error(out_of_memory) if there is none of either kind.
  CopyBuffer(OpenDevice& device, std::size_t bytes);
  ~CopyBuffer();
  CopyBuffer(const CopyBuffer&) = delete;
  CopyBuffer& operator=(const CopyBuffer&) = delete;

  std::byte* data() const { return data_; }

 private:
  OpenDevice& device_;
  const std::size_t bytes_;
  std::byte* data_ = nullptr;
  std::unique_ptr<std::byte[]> hosts_;  // null where it is the device's
};

/// Has the device know `bytes` of a caller's memory, which `kept` keeps, so that it copies them
/// faster: as long as the result lives, which keeps the memory and the device, too. Where the
/// device takes no such memory, the result is `kept`.
std::shared_ptr<const void> register_memory(OpenDevice& device, const std::byte* begin,
                                            std::size_t bytes, std::shared_ptr<const void> kept);

}  // namespace switchyard
