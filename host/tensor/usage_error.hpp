#pragma once

#include <switchyard/error.hpp>

namespace switchyard {

/// What the host, and not a device, does not do with elements of a type: Error(unsupported) in a
/// model, whose op it is, and a caller's wrong type where the op is called by itself.
class TypeRefusal : public Error {
 public:
  explicit TypeRefusal(const std::string& line) : Error(ErrorKind::unsupported, line) {}
};

/// What an op's row says of inputs that do not fit is the fault of a model that holds the op, and
/// of the caller where the op is called by itself. To be called where an error was caught: throws
/// the one that a caller is to see.
[[noreturn]] void throw_as_usage(const Error& caught);

}  // namespace switchyard
