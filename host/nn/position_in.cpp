#include "nn/position_in.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

namespace switchyard::nn {

std::size_t position_in(std::string_view list, std::int64_t index, std::size_t size) {
  const std::int64_t position = index < 0 ? index + static_cast<std::int64_t>(size) : index;
  if (position >= 0 && position < static_cast<std::int64_t>(size))
    return static_cast<std::size_t>(position);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] there is no entry {} of {}: they count from 0, or from the end "
                          "with -1",
                          list, index, size));
}

}  // namespace switchyard::nn
