#include <fmt/format.h>

#include <switchyard/dims.hpp>
#include <switchyard/error.hpp>

namespace switchyard {

void Dims::refuse_index(std::int64_t index, std::size_t size) {
  throw Error(ErrorKind::invalid_argument,
              fmt::format("entry {} of a list of {} numbers: they count from 0, or from the end "
                          "with -1",
                          index, size));
}

}  // namespace switchyard
