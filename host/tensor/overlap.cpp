#include "tensor/overlap.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "types/describe.hpp"

namespace switchyard {
namespace {

/// Whether two of its elements are one, of `extents` by `strides` that reach `last`: looks at each.
bool has_element_twice(std::span<const std::pair<std::int64_t, std::int64_t>> dims,
                       std::int64_t last) {
  std::vector<bool> is_seen(static_cast<std::size_t>(last) + 1);
  std::vector<std::int64_t> index(dims.size());
  for (std::int64_t offset = 0;;) {
    if (is_seen[static_cast<std::size_t>(offset)]) return true;
    is_seen[static_cast<std::size_t>(offset)] = true;
    std::size_t d = 0;
    for (; d < dims.size(); ++d) {
      const auto [stride, extent] = dims[d];
      offset += stride;
      if (++index[d] < extent) break;
      offset -= stride * extent;
      index[d] = 0;
    }
    if (d == dims.size()) return false;
  }
}

/// The bytes between which a tensor's elements lie, from its storage's handle on: an address where
/// the storage may be another's memory.
struct Reach {
  std::int64_t begin = 0, end = 0;
};

Reach reach_of(const TensorImpl& tensor) {
  const std::int64_t width = (bit_width(tensor.dtype) + 7) / 8;
  const std::int64_t first =
      static_cast<std::int64_t>(tensor.storage->handle()) + tensor.offset_bytes;
  Reach reach{first, first + width};
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    if (tensor.shape[d] == 0) return {};
    const std::int64_t span = (tensor.shape[d] - 1) * tensor.strides[d] * width;
    (span < 0 ? reach.begin : reach.end) += span;
  }
  return reach;
}

}  // namespace

bool overlaps_itself(const TensorImpl& tensor) {
  if (tensor.contiguous) return false;
  constexpr std::int64_t kMost = std::int64_t{1} << 22;
  boost::container::small_vector<std::pair<std::int64_t, std::int64_t>, 8> dims;  // stride, extent
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    if (tensor.shape[d] > 1) dims.emplace_back(std::abs(tensor.strides[d]), tensor.shape[d]);
  }
  std::ranges::sort(dims);
  bool passes = true;
  std::int64_t last = 0;
  for (const auto& [stride, extent] : dims) {
    passes = passes && stride > last;
    last += (extent - 1) * stride;
  }
  if (passes) return false;
  return last > kMost || element_count(tensor.shape) > last + 1 ||
         has_element_twice({dims.data(), dims.size()}, last);
}

bool share_memory(const TensorRef& a, const TensorRef& b) {
  if (!a.may_overlap(b)) return false;
  const Reach of_a = reach_of(*a), of_b = reach_of(*b);
  return of_a.begin < of_b.end && of_b.begin < of_a.end;
}

}  // namespace switchyard
