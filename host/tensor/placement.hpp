#pragma once

#include <cstdint>

#include "device/open_device.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Bytes that crossed between memories, for whoever pays for them.
struct CopyCount {
  std::uint64_t bytes = 0;
};

/// The tensor on `device`, for reading: itself if it lies there, an import or a copy of it that is
/// kept with host values, else a copy.
TensorRef bring_to(OpenDevice& device, const TensorRef& tensor, CopyCount& count);

/// A contiguous copy on `device`, always with a storage of its own.
TensorRef copy_to(OpenDevice& device, const TensorRef& tensor, CopyCount& count);

/// Writes the elements of `source`, wherever it lies, over those of `destination`, a tensor of a
/// device with the same type and shape that nobody else reads.
void copy_over(const TensorRef& source, const TensorRef& destination, CopyCount& count);

/// The tensor's elements contiguous on the device where it lies: itself if they are.
TensorRef make_contiguous(const TensorRef& tensor);

/// The tensor's value in host memory. Waits for the work that makes it. Shares bytes where it can.
Literal read_to_host(const TensorRef& tensor, CopyCount& count);

/// The tensor's value now, which no later write in place changes.
Literal snapshot(const TensorRef& tensor, CopyCount& count);

/// Writes the tensor's elements, contiguous, to host memory that holds size_bytes() of them.
void write_to(const TensorRef& tensor, void* destination);

}  // namespace switchyard
