#include "plugin_loader/isolation/refuse.hpp"

#include <algorithm>
#include <cstring>

namespace switchyard::isolation {

sy_status refuse(sy_error* error, sy_status status, sy_reason reason, std::string_view message) {
  if (error == nullptr) return status;
  error->status = status;
  error->reason = reason;
  const std::size_t size = std::min(message.size(), sizeof(error->message) - 1);
  std::memcpy(error->message, message.data(), size);
  error->message[size] = '\0';
  return status;
}

}  // namespace switchyard::isolation
