#include "ops/op_error.hpp"

namespace switchyard {
namespace {

ErrorKind kind_for_caller(const Error& caught) {
  const ErrorKind kind = error_of_given_inputs(caught).kind();
  return kind == ErrorKind::model ? ErrorKind::invalid_argument : kind;
}

}  // namespace

Error error_of_given_inputs(const Error& caught) {
  Error shown = caught;
  if (dynamic_cast<const ShapeMismatch*>(&caught)) shown.set_kind(ErrorKind::shape_mismatch);
  if (dynamic_cast<const TypeRefusal*>(&caught)) shown.set_kind(ErrorKind::invalid_argument);
  return shown;
}

void throw_to_caller(const Error& caught, std::string_view op) {
  Error shown = caught;
  shown.set_kind(kind_for_caller(caught));
  if (shown.op().empty()) shown.set_op(op);
  throw shown;
}

}  // namespace switchyard
