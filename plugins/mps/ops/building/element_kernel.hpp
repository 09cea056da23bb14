// Kernels that walk their operands as kernels/elements.h does: several elements a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "runtime/device.hpp"
#include "runtime/stream.hpp"
#include "runtime/tensor.hpp"

namespace mps {

// One such kernel. It is specialised for operands that lie without gaps and for all others; which
// of the two is taken is seen when it is encoded. Lives as long as its device at most.
class ElementKernel {
 public:
  // `widest` is the largest size of an element among the operands, in bytes. `choice` is the value
  // of the source's own constant, [[function_constant(2)]], where the kernel has one.
  ElementKernel(Device& device, const std::string& function, size_t widest,
                std::optional<uint32_t> choice = {});

  // Binds `tensors`, broadcast to the last one's shape, as buffers 0 and on, their walk as the
  // next, and `parameters`, if there are any, as the one after.
  void encode(Stream& stream, std::span<const Tensor* const> tensors,
              std::span<const std::byte> parameters = {}) const;
  template <typename Parameters>
  void encode(Stream& stream, std::span<const Tensor* const> tensors,
              const Parameters& parameters) const {
    encode(stream, tensors, std::as_bytes(std::span(&parameters, 1)));
  }

 private:
  const uint32_t per_thread_;
  const seam::Pipeline& dense_;
  const seam::Pipeline& strided_;
};

// The same of a kernel that nobody has prepared: the variant is looked up, and made where it is the
// first time. The elements of all tensors have one size.
void encode_elements(Device& device, Stream& stream, const std::string& function,
                     std::span<const Tensor* const> tensors,
                     std::span<const std::byte> parameters = {});

}  // namespace mps
