#pragma once

#include <map>
#include <string>
#include <vector>

#include <switchyard/model.hpp>

#include "graph/cell.hpp"

namespace switchyard {

/// Where the port of this name is. Throws Error(not_found) if there is none. `side`: "input" or
/// "output".
std::size_t position_of(const std::vector<Port>& ports, std::string_view side,
                        std::string_view name);
/// Throws Error(invalid_argument) if there are not so many ports.
void check_position(const std::vector<Port>& ports, std::string_view side, std::size_t position);

/// Whether a tensor of this shape can be the port's, as far as that one's extents are known.
bool has_shape_for(const Port& port, const Dims& shape);

/// The values given by name, put in the order of the ports and checked against them. Throws an
/// Error that names the input: not_found for one that is unknown, shape_mismatch for a wrong shape,
/// invalid_argument for one that is given twice, missing, or of a wrong kind or type.
std::vector<Cell> bind_inputs(const std::vector<Port>& ports, std::vector<NamedValue> given);

/// Zeros for all ports but sequences and texts: of the shape given by name, or of the port's own.
/// Ports that have neither and are not required are left out. Throws Error(not_found) for a name
/// that no port has, and Error(invalid_argument) for a shape that is missing or negative.
std::vector<NamedValue> zero_inputs(const std::vector<Port>& ports,
                                    const std::map<std::string, Dims>& shapes);

}  // namespace switchyard
