// Sorting lines of elements, by kernels/sort.metal: of equal elements the first one stays first.
#pragma once

#include <cstdint>
#include <string>

#include "ops/building/elementwise.hpp"
#include "runtime/axes.hpp"
#include "runtime/device.hpp"
#include "runtime/stream.hpp"

namespace mps {

// As kernels/sort.metal reads them.
struct OrderParameters {
  uint32_t count;     // elements of a line
  uint32_t padded;    // a power of two, no less
  uint32_t wanted;    // elements of a line of the results
  uint32_t smallest;  // first; else the largest
  int32_t step;       // along a line, in elements
  int32_t value_step;
  int32_t position_step;
  uint32_t has_values;
  uint32_t has_positions;
};

// What is sorted, and where the elements and their positions, int64, go.
struct Ordering {
  Bound input;
  Bound values;
  Bound positions;
  Axes outer;  // walks the lines, of all three
  OrderParameters parameters;
};

class OrderKernels {
 public:
  // For elements of a type by metal_type's name.
  OrderKernels(Device& device, const std::string& type);

  // Throws sy::unsupported beyond 2^31 elements, padded, in lines of more than 4096.
  void encode(Stream& stream, const Ordering& ordering) const;

 private:
  void encode_steps(Stream& stream, const Ordering& ordering) const;

  const seam::Pipeline& in_group_;
  const seam::Pipeline& start_;
  const seam::Pipeline& step_;
  const seam::Pipeline& finish_;
};

}  // namespace mps
