#include "functions/neural/windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>

#include "functions/calls/require.hpp"

namespace switchyard {

std::vector<std::int64_t> for_each_axis(std::string_view function, std::string_view what,
                                        const Dims& given, std::size_t spatial,
                                        std::int64_t least) {
  const bool fits = given.size() == 1 || given.size() == spatial;
  if (!fits || std::any_of(given.begin(), given.end(), [&](auto n) { return n < least; })) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] {} is {}; it must be 1 or {} numbers of at least {}", function,
                            what, listed(given), spatial, least));
  }
  std::vector<std::int64_t> numbers(given.begin(), given.end());
  numbers.resize(spatial, given[0]);
  return numbers;
}

std::vector<std::int64_t> both_ends(const std::vector<std::int64_t>& padding) {
  std::vector<std::int64_t> pads = padding;
  pads.insert(pads.end(), padding.begin(), padding.end());
  return pads;
}

}  // namespace switchyard
