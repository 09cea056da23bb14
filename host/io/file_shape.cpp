#include "io/file_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "io/file_error.hpp"
#include "types/dimensions.hpp"

namespace switchyard {

Dims checked_shape(std::span<const std::int64_t> extents, const std::string& where) {
  if (extents.size() > kMostDimensions) {
    refuse(where, fmt::format("it has {} dimensions; at most {} are possible", extents.size(),
                              kMostDimensions));
  }
  // Extents of 0 are left out, as strides are products of the others.
  std::int64_t room = std::numeric_limits<std::int64_t>::max() / 32;
  for (const std::int64_t extent : extents) {
    if (extent < 0) refuse(where, fmt::format("its shape holds the negative extent {}", extent));
    if (extent > room) {
      refuse(where, fmt::format("its shape [{}] has more elements than memory can hold",
                                fmt::join(extents, ",")));
    }
    if (extent > 1) room /= extent;
  }
  return Dims(extents);
}

}  // namespace switchyard
