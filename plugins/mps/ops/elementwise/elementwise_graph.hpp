// Elementwise ops as nodes of graphs. What would be rounded more than once is computed in float32.
#pragma once

#include <cstdint>

#include "ops/building/graph_builder.hpp"
#include "switchyard/plugin/program.hpp"

namespace mps {

// Input 0 of the node in float32, and a float32 result in the type of output 0.
uint32_t widened_input(GraphBuilder& graph, const sy::Node& node, uint32_t index = 0);
uint32_t as_output(GraphBuilder& graph, const sy::Node& node, uint32_t result);

// Two operands, broadcast as NumPy does; a comparison gives booleans.
uint32_t add_binary(GraphBuilder& graph, seam::Operation operation, uint32_t left, uint32_t right);
uint32_t add_unary(GraphBuilder& graph, seam::Operation operation, uint32_t operand);

uint32_t lower_unary(GraphBuilder& graph, const sy::Node& node);
uint32_t lower_is_nan(GraphBuilder& graph, const sy::Node& node);
uint32_t lower_not(GraphBuilder& graph, const sy::Node& node);
uint32_t lower_arithmetic(GraphBuilder& graph, const sy::Node& node);
uint32_t lower_logic(GraphBuilder& graph, const sy::Node& node);
uint32_t lower_comparison(GraphBuilder& graph, const sy::Node& node);
uint32_t lower_where(GraphBuilder& graph, const sy::Node& node);
uint32_t lower_clip(GraphBuilder& graph, const sy::Node& node);
uint32_t lower_cast(GraphBuilder& graph, const sy::Node& node);

}  // namespace mps
