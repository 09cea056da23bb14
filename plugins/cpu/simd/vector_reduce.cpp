#include "simd/reduce_functions.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_reduce.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "simd/vector_mask-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

inline constexpr float infinity = std::numeric_limits<float>::infinity();

struct Sum {
  static constexpr bool is_sum = true;
  static constexpr float nothing = 0;
  static HWY_INLINE V map(V x) { return x; }
  static HWY_INLINE V join(V x, V y) { return hn::Add(x, y); }
};
struct SumOfMagnitudes : Sum {
  static HWY_INLINE V map(V x) { return hn::Abs(x); }
};
struct SumOfSquares : Sum {
  static HWY_INLINE V map(V x) { return hn::Mul(x, x); }
};
struct Max {
  static constexpr bool is_sum = false;
  static constexpr float nothing = -infinity;
  static HWY_INLINE V map(V x) { return x; }
  static HWY_INLINE V join(V x, V y) {  // NaN wins and stays
    return hn::IfThenElse(hn::Or(hn::Gt(y, x), hn::IsNaN(y)), y, x);
  }
  static HWY_INLINE V join_lanes(V x) { return hn::MaxOfLanes(D(), x); }
};
struct Min : Max {
  static constexpr float nothing = infinity;
  static HWY_INLINE V join(V x, V y) {
    return hn::IfThenElse(hn::Or(hn::Lt(y, x), hn::IsNaN(y)), y, x);
  }
  static HWY_INLINE V join_lanes(V x) { return hn::MinOfLanes(D(), x); }
};

// Joins a block: short enough that a float sum loses next to nothing.
template <typename Kind>
HWY_INLINE V block_of(const float* x, int64_t count) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const V nothing = hn::Set(d, Kind::nothing);
  V a = nothing, b = nothing, c = nothing, e = nothing;
  int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = Kind::join(a, Kind::map(hn::LoadU(d, x + i)));
    b = Kind::join(b, Kind::map(hn::LoadU(d, x + i + lanes)));
    c = Kind::join(c, Kind::map(hn::LoadU(d, x + i + 2 * lanes)));
    e = Kind::join(e, Kind::map(hn::LoadU(d, x + i + 3 * lanes)));
  }
  for (; i + lanes <= count; i += lanes) a = Kind::join(a, Kind::map(hn::LoadU(d, x + i)));
  if (i < count) {
    const auto mask = hn::FirstN(d, static_cast<size_t>(count - i));
    const V rest = Kind::map(masked_load(mask, d, x + i));
    b = Kind::join(b, hn::IfThenElse(mask, rest, nothing));
  }
  return Kind::join(Kind::join(a, b), Kind::join(c, e));
}

HWY_INLINE double sum_lanes(V x) {
  const D d;
  HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(x, d, lanes);
  double sum = 0;
  for (size_t i = 0; i < hn::Lanes(d); ++i) sum += static_cast<double>(lanes[i]);
  return sum;
}

// Highway's own extremes leave open what becomes of NaN.
template <typename Kind>
HWY_INLINE double join_lanes(V x) {
  if (!hn::AllFalse(D(), hn::IsNaN(x))) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(hn::GetLane(Kind::join_lanes(x)));
}

template <typename Kind>
double row(const float* x, int64_t count) {
  if constexpr (Kind::is_sum) {
    constexpr int64_t block = 1024;
    double sum = 0;
    for (int64_t i = 0; i < count; i += block) {
      sum += sum_lanes(block_of<Kind>(x + i, HWY_MIN(block, count - i)));
    }
    return sum;
  } else {
    return join_lanes<Kind>(block_of<Kind>(x, count));
  }
}

// Four rows at a time, so that the joined values are loaded and stored less often.
template <typename Kind>
void columns(const float* x, int64_t step, int64_t rows, int64_t width, float* joined) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto column = [&](const float* at, int64_t count, auto load, V sum) {
    int64_t r = 0;
    for (; r + 4 <= count; r += 4) {
      const float* p = at + r * step;
      const V low = Kind::join(Kind::map(load(p)), Kind::map(load(p + step)));
      const V high = Kind::join(Kind::map(load(p + 2 * step)), Kind::map(load(p + 3 * step)));
      sum = Kind::join(sum, Kind::join(low, high));
    }
    for (; r < count; ++r) sum = Kind::join(sum, Kind::map(load(at + r * step)));
    return sum;
  };
  for (int64_t first = 0; first < rows; first += 4) {
    const int64_t count = HWY_MIN(int64_t{4}, rows - first);
    const float* at = x + first * step;
    int64_t i = 0;
    for (; i + lanes <= width; i += lanes) {
      const auto load = [d](const float* p) HWY_ATTR { return hn::LoadU(d, p); };
      hn::StoreU(column(at + i, count, load, hn::LoadU(d, joined + i)), d, joined + i);
    }
    if (i == width) continue;
    const auto mask = hn::FirstN(d, static_cast<size_t>(width - i));
    const auto load = [d, mask](const float* p) HWY_ATTR { return masked_load(mask, d, p); };
    const V sum = column(at + i, count, load, masked_load(mask, d, joined + i));
    masked_store(sum, mask, d, joined + i);
  }
}

template <typename Kind>
VectorReduce of() {
  return {row<Kind>, columns<Kind>};
}

VectorReduce find_reduce(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::sum_of_magnitudes: return of<SumOfMagnitudes>();
    case ReduceKind::sum_of_squares: return of<SumOfSquares>();
    case ReduceKind::max: return of<Max>();
    case ReduceKind::min: return of<Min>();
    default: return of<Sum>();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_reduce);
VectorReduce vector_reduce(ReduceKind kind) { return HWY_DYNAMIC_DISPATCH(find_reduce)(kind); }
}  // namespace cpu
#endif
