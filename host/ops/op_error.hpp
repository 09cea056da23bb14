#pragma once

#include <string>
#include <string_view>
#include <switchyard/error.hpp>

namespace switchyard {

/// What the host, and not a device, does not do with elements of a type: Error(unsupported) in a
/// model, whose op it is, and a caller's wrong type where the op is called by itself.
class TypeRefusal : public Error {
 public:
  explicit TypeRefusal(const std::string& line) : Error(ErrorKind::unsupported, line) {}
};

/// Inputs whose shapes do not fit each other, or the op: Error(model) in a model.
class ShapeMismatch : public Error {
 public:
  explicit ShapeMismatch(const std::string& line) : Error(ErrorKind::model, line) {}
};

/// The same error; of the kind shape_mismatch or invalid_argument, where an op's row says it of
/// inputs that do not fit. In a run of a model these come from what the run was given: what the
/// file says is checked when it is read.
Error error_of_given_inputs(const Error& caught);

/// What an op's row says of inputs that do not fit is the fault of a model that holds the op, and
/// of the caller where the op is called by itself. To be called where an error of a call was
/// caught: throws the one that a caller is to see, with the op's name, which may be "".
[[noreturn]] void throw_to_caller(const Error& caught, std::string_view op);

}  // namespace switchyard
