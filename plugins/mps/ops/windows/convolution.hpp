// Convolutions in graphs, in forms that MPSGraph computes rightly.
#pragma once

#include "ops/building/graph_builder.hpp"

namespace mps {

// One of the three convolutions of seam/graph.hpp, of float tensors of rank 4, giving `result`.
//
// Two faults of MPSGraph on every macOS so far are kept away from: its gradient by weights counts
// the entries of the batch in 16 bits (pytorch#96225), so it is given parts of the batch; and its
// grouped convolutions of float32 with long windows are right for a batch of one alone
// (pytorch#188335), so the entries of the batch become further groups there.
uint32_t add_convolution(GraphBuilder& graph, seam::Operation operation, GraphBuilder::Shape result,
                         uint32_t x, uint32_t y, seam::Window window);

}  // namespace mps
