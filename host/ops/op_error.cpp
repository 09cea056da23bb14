#include "ops/op_error.hpp"

namespace switchyard {
namespace {

ErrorKind kind_for_caller(const Error& caught) {
  if (dynamic_cast<const ShapeMismatch*>(&caught)) return ErrorKind::shape_mismatch;
  if (dynamic_cast<const TypeRefusal*>(&caught)) return ErrorKind::invalid_argument;
  return caught.kind() == ErrorKind::model ? ErrorKind::invalid_argument : caught.kind();
}

}  // namespace

void throw_to_caller(const Error& caught, std::string_view op) {
  Error shown = caught;
  shown.set_kind(kind_for_caller(caught));
  if (shown.op().empty()) shown.set_op(op);
  throw shown;
}

}  // namespace switchyard
