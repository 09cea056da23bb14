#include "kernels/movement/busy_positions.hpp"

#include <algorithm>

#include "gemm/long_sums.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {
namespace {

constexpr int32_t not_busy = -1;

// How many updates a position's own type takes: a narrow float is rounded in each of them.
int32_t most_updates(sy_dtype dtype) {
  return sy::dtype_bytes(dtype) < sizeof(float) ? 1 : int32_t{chained_sums};
}

}  // namespace

BusyPositions::BusyPositions(const Tensor& out, int64_t block, std::span<const int64_t> positions,
                             bool multiplies)
    : out_(out),
      block_(block),
      multiplies_(multiplies),
      widen_(convert_row(out.dtype, SY_FLOAT64)),
      slots_(static_cast<size_t>(block == 0 ? 0 : out.size() / block)),
      update_(static_cast<size_t>(block)) {
  const int32_t most = most_updates(out.dtype);
  for (const int64_t position : positions) {
    int32_t& updates = slots_[static_cast<size_t>(position)];
    if (updates <= most && ++updates == most + 1) busy_.push_back(position);
  }
  std::ranges::fill(slots_, not_busy);
  joined_.resize(busy_.size() * update_.size());
  for (size_t slot = 0; slot < busy_.size(); ++slot) {
    slots_[static_cast<size_t>(busy_[slot])] = static_cast<int32_t>(slot);
    widen_(at(busy_[slot]), static_cast<int64_t>(sy::dtype_bytes(out_.dtype)),
           reinterpret_cast<char*>(joined_.data() + slot * update_.size()), sizeof(double), block_);
  }
}

char* BusyPositions::at(int64_t position) const {
  return out_.as<char>() + position * block_ * static_cast<int64_t>(sy::dtype_bytes(out_.dtype));
}

bool BusyPositions::join(int64_t position, const char* from) {
  const int32_t slot = slots_[static_cast<size_t>(position)];
  if (slot == not_busy) return false;
  widen_(from, static_cast<int64_t>(sy::dtype_bytes(out_.dtype)),
         reinterpret_cast<char*>(update_.data()), sizeof(double), block_);
  double* joined = joined_.data() + static_cast<size_t>(slot) * update_.size();
  for (size_t i = 0; i < update_.size(); ++i) {
    joined[i] = multiplies_ ? joined[i] * update_[i] : joined[i] + update_[i];
  }
  return true;
}

void BusyPositions::write() const {
  const ConvertRow narrow = convert_row(SY_FLOAT64, out_.dtype);
  for (size_t slot = 0; slot < busy_.size(); ++slot) {
    narrow(reinterpret_cast<const char*>(joined_.data() + slot * update_.size()), sizeof(double),
           at(busy_[slot]), static_cast<int64_t>(sy::dtype_bytes(out_.dtype)), block_);
  }
}

}  // namespace cpu
