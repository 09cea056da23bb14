/// @file
/// For plugins whose kernels are nodes: where a node's values lie among its program's.
#pragma once

#include <switchyard/plugin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "switchyard/plugin/guard.hpp"

namespace sy {

/// The positions of a node's inputs and outputs in its program's lists; SY_ABSENT where left out.
struct NodePositions {
  /// By the node's inputs and outputs, in their order.
  /// @{
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
  /// @}
};

/// Where each of `values` stands in `list`. Throws sy::invalid for one that is not there.
inline std::vector<uint32_t> positions_in(const uint32_t* values, uint32_t count,
                                          const uint32_t* list, uint32_t list_count,
                                          std::string_view side) {
  std::vector<uint32_t> positions(count, SY_ABSENT);
  for (uint32_t i = 0; i < count; ++i) {
    if (values[i] == SY_ABSENT) continue;
    const uint32_t* found = std::find(list, list + list_count, values[i]);
    if (found == list + list_count) {
      throw invalid(side, " ", i, " of the node is not among the program's");
    }
    positions[i] = static_cast<uint32_t>(found - list);
  }
  return positions;
}

/// Of the one node of `program`.
inline NodePositions positions_of_node(const sy_program& program, const sy_node& node) {
  return {positions_in(node.inputs, node.input_count, program.inputs, program.input_count, "input"),
          positions_in(node.outputs, node.output_count, program.outputs, program.output_count,
                       "output")};
}

/// A mask over a node's inputs as one over its program's. A program input may be several of the
/// node's; its bit is set if all of theirs are.
inline uint64_t program_mask(uint64_t node_mask, const std::vector<uint32_t>& positions) {
  uint64_t allowed = 0;
  uint64_t refused = 0;
  for (size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] >= 64) continue;
    const bool may = i < 64 && (node_mask >> i & 1) != 0;
    (may ? allowed : refused) |= uint64_t{1} << positions[i];
  }
  return allowed & ~refused;
}

}  // namespace sy
