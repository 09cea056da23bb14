// What elementwise ops and others share: types, arguments, copies, fills.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "ops/kernel.hpp"

namespace mps {

// The tensor as a kernel argument: its buffer from a position that Metal takes, and how many
// elements after that position the tensor begins; of an immediate its bytes.
struct Bound {
  seam::Argument argument;
  uint64_t offset;
};
Bound bind(const Tensor& tensor, uint32_t index);

// The name that kernels of a dtype end in, "float" or "int"; sy::bug for a type without one.
const char* metal_type(sy_dtype dtype);

// A number as it is written in the Metal Shading Language, to the bit.
std::string metal_number(float number);

// A contiguous copy that lives until the operation is done; the tensor itself if it is contiguous
// and begins its buffer.
Tensor packed(Device& device, Stream& stream, const Tensor& tensor);

// Copies elements from one layout to another of the same shape and dtype.
void encode_copy(Device& device, Stream& stream, const Tensor& source, const Tensor& destination);

// One element, given by its bytes, everywhere in a tensor that has elements.
void encode_fill(Device& device, Stream& stream, const Tensor& destination,
                 std::span<const std::byte> element);

}  // namespace mps
