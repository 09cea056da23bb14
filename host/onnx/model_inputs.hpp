#pragma once

#include <vector>

#include <switchyard/model.hpp>

#include "graph/cell.hpp"

namespace switchyard {

/// The values given by name, put in the order of the ports and checked against them. Throws
/// Error(usage) that names the input: unknown, given twice, missing, of a wrong kind, type or
/// shape.
std::vector<Cell> bind_inputs(const std::vector<Port>& ports, std::vector<NamedValue> given);

}  // namespace switchyard
