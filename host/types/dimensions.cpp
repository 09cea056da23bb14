#include "types/dimensions.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

namespace switchyard {

void check_dimensions(std::size_t count) {
  if (count <= kMostDimensions) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{} dimensions are more than the {} that a tensor may have", count,
                          kMostDimensions));
}

}  // namespace switchyard
