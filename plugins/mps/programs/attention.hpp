// Nodes of a program that are softmax(q k^T) v, as one kernel:
//
//   MatMul, Mul or Div by one number, Where with one number, Add of a mask, Softmax, MatMul
//
// in this order; the three in the middle, and a Mul or Div by one number of q or k, may be missing.
// Casts between float32 and the type of q, k and v may stand anywhere between. What lies between
// the nodes must be nobody else's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "programs/flow.hpp"
#include "programs/graph_piece.hpp"

namespace mps {

struct Attention {
  // A value of one element; SY_ABSENT: there is none.
  struct Scale {
    uint32_t value = SY_ABSENT;
    bool divides = false;
  };
  std::vector<uint32_t> nodes;  // in the program's order
  // Values, SY_ABSENT where one is missing; ops/attention/attention.hpp says what they are.
  uint32_t query = SY_ABSENT;
  uint32_t key = SY_ABSENT;
  uint32_t value = SY_ABSENT;
  uint32_t output = SY_ABSENT;
  uint32_t mask = SY_ABSENT;
  uint32_t condition = SY_ABSENT;
  uint32_t fill = SY_ABSENT;
  bool fills_where = true;
  Scale query_scale, key_scale, score_scale;
  uint32_t wide_results = 0;  // bits of AttentionStep
};

// The one whose last node is `number`; nothing if there is none, or none that the kernel can do.
std::optional<Attention> attention_at(const Flow& flow, uint32_t number);

// All of a program; none shares a node with another.
std::vector<Attention> attentions_of(const Flow& flow);

// Of a piece of an attention's nodes.
MadePiece make_attention(Device& device, const Flow& flow, const Piece& piece);

}  // namespace mps
