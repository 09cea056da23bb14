// Tensors in this process's memory, as a run gives them. Views: they own nothing, and neither shape
// nor strides. Strides count elements and are never null.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>

#include "switchyard/plugin/shape.hpp"

namespace cpu {

// An input: its elements are read alone.
struct ConstTensor {
  sy_dtype dtype = 0;
  const void* data = nullptr;  // the element whose indices are all 0; null only where there is none
  sy::Extents shape;
  sy::Extents strides;

  template <typename T>
  const T* as() const {
    return static_cast<const T*>(data);
  }
  size_t rank() const { return shape.size(); }
  int64_t size() const { return sy::element_count(shape); }
};

// An output, or memory that a kernel computes in. An input wherever one is wanted.
struct Tensor {
  sy_dtype dtype = 0;
  void* data = nullptr;
  sy::Extents shape;
  sy::Extents strides;

  template <typename T>
  T* as() const {
    return static_cast<T*>(data);
  }
  size_t rank() const { return shape.size(); }
  int64_t size() const { return sy::element_count(shape); }
  operator ConstTensor() const { return {dtype, data, shape, strides}; }
};

}  // namespace cpu
