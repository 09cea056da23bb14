#pragma once

#include <switchyard/error.hpp>

#include "graph/graph.hpp"

namespace switchyard {

/// Throws the error again, with the node named in front of what went wrong below it. An error that
/// names the node already goes on as it is.
[[noreturn]] void rethrow_at(const Node& node, const Error& error);

}  // namespace switchyard
