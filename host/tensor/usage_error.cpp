#include "tensor/usage_error.hpp"

namespace switchyard {

void throw_as_usage(const Error& caught) {
  if (caught.kind() == ErrorKind::model) throw Error(ErrorKind::usage, caught.what());
  throw;  // NOLINT: inside the caller's catch block
}

}  // namespace switchyard
