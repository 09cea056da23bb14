#include "tensor/usage_error.hpp"

namespace switchyard {

void throw_as_usage(const Error& caught) {
  const bool is_of_type = dynamic_cast<const TypeRefusal*>(&caught) != nullptr;
  if (caught.kind() == ErrorKind::model || is_of_type) throw Error(ErrorKind::usage, caught.what());
  throw;  // NOLINT: inside the caller's catch block
}

}  // namespace switchyard
