// A tensor as a kernel of this plugin sees it, for the time of one call.
#pragma once

#include <switchyard/plugin.h>

#include "runtime/allocator.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/shape.hpp"

namespace mps {

struct Tensor {
  sy_dtype dtype = 0;
  sy::Extents shape;
  sy::Dimensions strides;        // elements
  const Block* block = nullptr;  // null: a host value, or no elements
  uint64_t offset_bytes = 0;     // of the element whose indices are all 0
  const void* host = nullptr;    // host inputs and immediates: contiguous

  int64_t size() const { return sy::element_count(shape); }
  size_t size_bytes() const { return sy::contiguous_bytes(dtype, static_cast<uint64_t>(size())); }
  bool is_contiguous() const { return sy::is_contiguous(shape, strides.data.data()); }
};

}  // namespace mps
