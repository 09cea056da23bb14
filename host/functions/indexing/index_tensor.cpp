#include "functions/indexing/index_tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <switchyard/functions/pointwise.hpp>

#include "types/describe.hpp"

namespace switchyard {

void require_indices(std::string_view function, const Tensor& index) {
  if (index.defined() && (index.dtype() == DType::int64 || index.dtype() == DType::int32)) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] needs int64 or int32 indices, got {}; convert them with to()",
                          function, index.defined() ? name_of(index.dtype()) : "none"));
}

Tensor counted_from_front(const Tensor& index) {
  const std::int64_t beyond = index.dtype() == DType::int32
                                  ? std::numeric_limits<std::int32_t>::max()
                                  : std::numeric_limits<std::int64_t>::max();
  return index.masked_fill(index < 0, beyond);
}

void require_inside(std::string_view function, const Tensor& index, std::int64_t dim,
                    std::int64_t extent, CountsFrom from) {
  const std::int64_t least = from == CountsFrom::front ? 0 : -extent;
  for (const std::int64_t i : index.to(DType::int64).to_vector<std::int64_t>()) {
    if (i >= least && i < extent) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] index {} lies outside dimension {}, whose extent is {}", function,
                            i, dim, extent));
  }
}

Dims broadcast_shapes(std::string_view function, const Dims& a, const Dims& b) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  const std::size_t added = longer.size() - shorter.size();
  Dims result = longer;
  for (std::size_t d = 0; d < shorter.size(); ++d) {
    std::int64_t& extent = result[added + d];
    if (extent == 1) extent = shorter[d];
    if (shorter[d] == 1 || shorter[d] == extent) continue;
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[{}] shapes {} and {} do not broadcast together", function,
                            describe(a), describe(b)));
  }
  return result;
}

}  // namespace switchyard
