// Which row of the families' tables a node gets.
#pragma once

#include "ops/kernel.hpp"

namespace mps {

// What devices differ in for the rows.
struct Traits {
  bool bfloat16 = true;     // computes with it
  bool lanes_of_32 = true;  // the SIMD groups that some kernels are written for
};
Traits traits_of(const seam::DeviceInfo& info);

// One claim a row, in the tables' order. Valid for ever.
const sy::ClaimTable& all_claims(Traits traits);

// Throws sy::unsupported with the reason of the row that came nearest.
const Row& select_row(const sy::Node& node, Traits traits = {});

// The first row that takes the node and can be part of a graph; null if none does.
const Row* select_graph_row(const sy::Node& node);

}  // namespace mps
