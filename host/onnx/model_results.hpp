#pragma once

#include "graph/cell.hpp"

namespace switchyard {

/// Tensors of a run that this holds. An output that others hold too (it is or views an input, a
/// constant or another output) becomes a copy: a result may be written to, and what it came from
/// too.
void own_results(Cell& output);

}  // namespace switchyard
