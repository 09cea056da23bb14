#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/number.hpp>

namespace switchyard::detail {

void refuse_unsigned(std::uint64_t number) {
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("{} is beyond the largest integer, {}; an unsigned number that went below "
                  "0 wraps round to such a one",
                  number, INT64_MAX));
}

}  // namespace switchyard::detail
