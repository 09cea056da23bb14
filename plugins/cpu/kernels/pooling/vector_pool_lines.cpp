#include "kernels/pooling/pool_lines.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pooling/vector_pool_lines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "simd/vector_mask-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

struct Max {
  static HWY_INLINE V start() { return hn::Set(D(), -std::numeric_limits<float>::infinity()); }
  static HWY_INLINE V join(V so_far, V x) {
    return hn::IfThenElse(hn::Or(hn::Gt(x, so_far), hn::IsNaN(x)), x, so_far);
  }
  static HWY_INLINE V finish(V joined, V) { return joined; }
};

struct Sum {
  static HWY_INLINE V start() { return hn::Zero(D()); }
  static HWY_INLINE V join(V so_far, V x) { return hn::Add(so_far, x); }
  static HWY_INLINE V finish(V joined, V number) { return hn::Mul(joined, number); }
};

struct SumOfMagnitudes : Sum {
  static HWY_INLINE V join(V so_far, V x) { return hn::Add(so_far, hn::Abs(x)); }
  static HWY_INLINE V finish(V joined, V) { return joined; }
};

struct RootOfSquares : Sum {
  static HWY_INLINE V join(V so_far, V x) { return hn::MulAdd(x, x, so_far); }
  static HWY_INLINE V finish(V joined, V) { return hn::Sqrt(joined); }
};

template <typename Kind, typename Load>
HWY_INLINE V joined_taps(const float* x, const int64_t* taps, int64_t tap_count, V number,
                         Load load) {
  V joined = Kind::start();
  for (int64_t t = 0; t < tap_count; ++t) joined = Kind::join(joined, load(x + taps[t]));
  return Kind::finish(joined, number);
}

// The vectors of a line that may be loaded whole; returns how many positions they are.
template <typename Kind, typename Load>
HWY_INLINE int64_t whole_vectors(const float* x, int64_t x_step, const int64_t* taps,
                                 int64_t tap_count, float* y, int64_t count, V number, Load load) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(joined_taps<Kind>(x + i * x_step, taps, tap_count, number, load), d, y + i);
  }
  return i;
}

template <typename Kind>
void line(const float* x, int64_t x_step, const int64_t* taps, int64_t tap_count, float* y,
          int64_t count, float factor) {
  const D d;
  const V number = hn::Set(d, factor);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  if (x_step == 1) {
    i = whole_vectors<Kind>(x, 1, taps, tap_count, y, count, number,
                            [d](const float* at) { return hn::LoadU(d, at); });
  } else if (x_step == 2) {  // one position is left, so that loads end where the elements do
    i = whole_vectors<Kind>(x, 2, taps, tap_count, y, count - 1, number, [d](const float* at) {
      V even, odd;
      hn::LoadInterleaved2(d, at, even, odd);
      return even;
    });
  }
  if (x_step == 1 && i < count) {
    const auto mask = hn::FirstN(d, static_cast<size_t>(count - i));
    const V last = joined_taps<Kind>(x + i, taps, tap_count, number,
                                     [=](const float* at) { return masked_load(mask, d, at); });
    masked_store(last, mask, d, y + i);
    return;
  }
  HWY_ALIGN float gathered[HWY_MAX_BYTES / sizeof(float)];
  for (; i < count; i += lanes) {
    const int64_t some = HWY_MIN(lanes, count - i);
    const V part = joined_taps<Kind>(x + i * x_step, taps, tap_count, number, [&](const float* at) {
      for (int64_t k = 0; k < some; ++k) gathered[k] = at[k * x_step];
      for (int64_t k = some; k < lanes; ++k) gathered[k] = 0;
      return hn::Load(d, gathered);
    });
    hn::Store(part, d, gathered);
    for (int64_t k = 0; k < some; ++k) y[i + k] = gathered[k];
  }
}

// The next `some` elements, at most as many as a vector has.
HWY_INLINE V load_some(const float* x, int64_t x_step, int64_t some) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto part = [&](int64_t count) {
    return hn::FirstN(d, static_cast<size_t>(HWY_MAX(HWY_MIN(count, lanes), 0)));
  };
  if (x_step == 1) return masked_load(part(some), d, x);
#if HWY_TARGET != HWY_SCALAR  // which has nothing to separate
  if (x_step == 2) {
    const int64_t reach = 2 * some - 1;
    const V high = reach > lanes ? masked_load(part(reach - lanes), d, x + lanes) : hn::Zero(d);
    return hn::ConcatEven(d, high, masked_load(part(reach), d, x));
  }
#endif
  HWY_ALIGN float gathered[HWY_MAX_BYTES / sizeof(float)] = {};
  for (int64_t k = 0; k < some; ++k) gathered[k] = x[k * x_step];
  return hn::Load(d, gathered);
}

void largest_line(const float* x, int64_t x_step, int32_t first, int32_t step, int64_t count,
                  float* largest, int32_t* indices) {
  const D d;
  const hn::RebindToSigned<D> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto ascending = hn::Mul(hn::Iota(di, 0), hn::Set(di, step));
  for (int64_t i = 0; i < count; i += lanes) {
    const int64_t some = HWY_MIN(lanes, count - i);
    const auto mask = hn::FirstN(d, static_cast<size_t>(some));
    const auto index_mask = hn::RebindMask(di, mask);
    const V now = load_some(x + i * x_step, x_step, some);
    const V best = masked_load(mask, d, largest + i);
    const auto known = masked_load(index_mask, di, indices + i);
    const auto free = hn::RebindMask(d, hn::Lt(known, hn::Zero(di)));
    const auto kept = hn::Or(hn::Le(now, best), hn::IsNaN(best));
    const auto takes = hn::Or(free, hn::Not(kept));
    const auto index = hn::Add(hn::Set(di, static_cast<int32_t>(first + i * step)), ascending);
    masked_store(now, hn::And(takes, mask), d, largest + i);
    masked_store(index, hn::And(hn::RebindMask(di, takes), index_mask), di, indices + i);
  }
}

LargestLine find_largest_line() { return largest_line; }

PoolLine<float> find_pool_line(PoolKind kind) {
  switch (kind) {
    case PoolKind::max: return line<Max>;
    case PoolKind::sum: return line<Sum>;
    case PoolKind::sum_of_magnitudes: return line<SumOfMagnitudes>;
    case PoolKind::root_of_squares: return line<RootOfSquares>;
    default: return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_pool_line);
HWY_EXPORT(find_largest_line);
PoolLine<float> vector_pool_line(PoolKind kind) {
  return HWY_DYNAMIC_DISPATCH(find_pool_line)(kind);
}
LargestLine vector_largest_line() { return HWY_DYNAMIC_DISPATCH(find_largest_line)(); }
}  // namespace cpu
#endif
