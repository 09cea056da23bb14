// What devices and their systems differ in for the ops.
#pragma once

#include <cstdint>

#include "seam/seam.hpp"

namespace mps {

struct Traits {
  bool bfloat16 = true;     // computes with it
  bool lanes_of_32 = true;  // the SIMD groups that some kernels are written for
  // Beyond such an extent graphs compute wrong values.
  int64_t widest_product = seam::unlimited;
  int64_t widest_convolution = seam::unlimited;

  bool has_wide_graphs() const {
    return widest_product == seam::unlimited && widest_convolution == seam::unlimited;
  }
};

Traits traits_of(const seam::DeviceInfo& info);

}  // namespace mps
