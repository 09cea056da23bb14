// A program cut into pieces: each becomes one entry of a command buffer.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/rows.hpp"
#include "programs/flow.hpp"

namespace mps {

// What a node can be part of, beside a piece of its own.
struct Abilities {
  const KernelRow* row = nullptr;        // for a piece of its own
  const KernelRow* graph_row = nullptr;  // for a graph; null: it cannot be part of one
  bool chain = false;                    // by `row`
};

struct Piece {
  enum class Kind : uint8_t {
    node,      // one node, by its row's own kernel
    graph,     // nodes that all have a graph's form: one executable
    chain,     // elementwise nodes of one shape: one kernel, written for them
    attention  // two products and what lies between them: one kernel (attention.hpp)
  };
  Kind kind = Kind::node;
  std::vector<uint32_t> nodes;  // in the program's order
};

// Of each node of the program, those that are not live and views left out. Throws sy::unsupported
// for a node without a kernel.
std::vector<Abilities> abilities_of(const Flow& flow, Traits traits, bool writes_chains);

// Pieces in an order in which each comes after those that it reads from.
std::vector<Piece> cut(const Flow& flow, const std::vector<Abilities>& abilities);

}  // namespace mps
