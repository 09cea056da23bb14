#include "device/within_memory.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

namespace switchyard {

void throw_beyond_memory(std::string_view work) {
  throw Error(
      ErrorKind::out_of_memory,
      fmt::format("{}: takes more memory than there is; free some, or take a smaller input", work));
}

}  // namespace switchyard
