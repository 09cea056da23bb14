#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <switchyard/runtime.hpp>

#include "ops/row.hpp"

namespace switchyard::cli {

/// What devices say that they can do of one op, and whether gradients flow through it.
struct OpCoverage {
  const Op* op = nullptr;
  bool has_gradient = false;
  std::vector<std::uint64_t> dtypes;  // by device: a mask of 1 << dtype; 0 where nothing is claimed
};

/// A line for each op, in its order. The dtypes are those of the op's inputs, but
/// for host inputs; of its outputs where it has no others. A claim says what a device may take: it
/// still looks at each call, and can refuse it with a reason.
std::vector<OpCoverage> op_coverage(const std::vector<Device>& devices);

/// The name with its domain, if that is not ONNX's own: "switchyard.Philox".
std::string qualified_name(const Op& op);

}  // namespace switchyard::cli
