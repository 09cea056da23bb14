#pragma once

#include <switchyard/error.hpp>

#include "graph/graph.hpp"

namespace switchyard {

/// What a reader found wrong with a part of the model, told when the part is to run. It names its
/// position itself.
class RefusedPart : public Error {
 public:
  explicit RefusedPart(const std::string& line) : Error(ErrorKind::model, line) {}
};

/// Throws the error again, with the node named in front of what went wrong below it. An error that
/// names the node already goes on as it is.
[[noreturn]] void rethrow_at(const Node& node, const Error& error);

}  // namespace switchyard
