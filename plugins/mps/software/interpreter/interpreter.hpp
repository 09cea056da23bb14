// The software device's MPSGraph: it checks graphs as strictly and computes them plainly. What each
// operation means stands in seam/graph.hpp; what that leaves open, in the README beside this file.
//
// Both functions may be called from any thread, at the same time for the same graph too.
#pragma once

#include <cstddef>
#include <span>

#include "seam/seam.hpp"

namespace mps::software {

// Throws seam::Failure, which names the node's number and its operation, unless interpret() can
// run `graph`:
//   invalid      the graph is malformed: operands that are not earlier or not as many as the
//                operation takes, attributes of another kind or out of range, a type that does not
//                follow from the operands, a rank over 16, a constant of a wrong size, an output
//                that is an input or a constant
//   unsupported  the operation does not take these element types, or a tensor has more than
//                2^31 - 1 elements; MPSGraph would abort
void check_graph(const seam::Graph& graph);

// Computes `graph`, which has passed check_graph(). Inputs and outputs stand in the graph's order;
// each is contiguous, aligned to its elements, and may be null if it has none. No output overlaps
// another tensor. Throws seam::Failure(invalid) for a null or misaligned tensor, a wrong number of
// them, or an index that gather does not find.
void interpret(const seam::Graph& graph, std::span<const std::byte* const> inputs,
               std::span<std::byte* const> outputs);

}  // namespace mps::software
