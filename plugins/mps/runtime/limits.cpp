#include "runtime/limits.hpp"

#include <algorithm>
#include <limits>

#include "switchyard/plugin/guard.hpp"

namespace mps {
namespace {

constexpr int64_t most_elements = std::numeric_limits<int32_t>::max();
constexpr int64_t last_position = std::numeric_limits<uint32_t>::max();

}  // namespace

int64_t limited_count(sy::Extents shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (extent > most_elements / count) {  // their product may be beyond 64 bits
      throw sy::unsupported(SY_REASON_LIMIT, "a tensor of shape ", shape,
                            ": this device takes 2147483647 elements at most");
    }
    count *= extent;
  }
  return count;
}

void check_reach(sy::Extents shape, const int64_t* strides, uint64_t offset) {
  if (offset > static_cast<uint64_t>(last_position)) {
    throw sy::unsupported(SY_REASON_LIMIT, "an offset of ", offset,
                          " elements: this device takes 4294967295 at most");
  }
  auto last = static_cast<int64_t>(offset);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (strides[i] > 0) last += (shape[i] - 1) * strides[i];
  }
  if (last > last_position) {
    throw sy::unsupported(SY_REASON_LIMIT, "a view that ends at element ", last,
                          " of its storage: this device reaches 4294967295 at most");
  }
}

void check_limits(const Tensor& tensor) {
  const uint64_t element = sy::dtype_bytes(tensor.dtype);
  if (element == 0 || limited_count(tensor.shape) == 0) return;
  check_reach(tensor.shape, tensor.strides.data.data(), tensor.offset_bytes / element);
}

}  // namespace mps
