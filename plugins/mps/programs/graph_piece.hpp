// Several nodes of a program as one graph.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/kernel.hpp"
#include "programs/cut.hpp"
#include "programs/flow.hpp"

namespace mps {

// A kernel and the program's values that it reads and writes, in its own order.
struct MadePiece {
  std::unique_ptr<Kernel> kernel;
  std::vector<uint32_t> inputs;  // SY_ABSENT: left out
  std::vector<uint32_t> outputs;
};

// Constants up to Device::graph_constant_bytes() are part of the graph; what is larger is fed, so
// that it is in memory once and the graph is quickly compared with others.
//
// `outputs` are values that the nodes make, or views of them.
MadePiece make_graph_piece(Device& device, const Flow& flow,
                           const std::vector<Abilities>& abilities, const Piece& piece,
                           std::vector<uint32_t> outputs);

}  // namespace mps
