// Elementwise nodes of one shape as one kernel, whose text is written for them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/graph_piece.hpp"

namespace mps {

// Metal binds 31 buffers; one of them says how to walk the others.
constexpr size_t most_chained_buffers = 30;

// What a chain reads, in the order of its first use, before what it writes. Views are read as such.
std::vector<uint32_t> inputs_of_chain(const Flow& flow, const std::vector<uint32_t>& nodes);

// True if such nodes, in the program's order, can be one kernel.
bool can_be_chain(const Flow& flow, const std::vector<uint32_t>& nodes);

// The text of a kernel named "chain".
std::string text_of_chain(const Flow& flow, const std::vector<Abilities>& abilities,
                          const Piece& piece, const std::vector<uint32_t>& outputs);

MadePiece make_chain(Device& device, const Flow& flow, const std::vector<Abilities>& abilities,
                     const Piece& piece, std::vector<uint32_t> outputs);

}  // namespace mps
