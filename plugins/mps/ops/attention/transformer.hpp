// What transformers are made of, as single nodes. Programs that spell attention out are
// programs/attention.hpp's.
#pragma once

#include <span>

#include "ops/kernel.hpp"

namespace mps {

std::span<const Row> rotary_embedding_rows();  // rotary_embedding.cpp
std::span<const Row> attention_rows();         // attention_node.cpp

}  // namespace mps
