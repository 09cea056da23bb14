// Writing long results past the caches. Included once for each target.
#if defined(CPU_VECTOR_STORE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CPU_VECTOR_STORE_INL
#undef CPU_VECTOR_STORE_INL
#else
#define CPU_VECTOR_STORE_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>

#include "simd/vector_mask-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

// Floats in one row from which on the output would push its own inputs, two of them or more, out of
// the cache; and those of a single input.
inline constexpr int64_t streamed_row = int64_t{1} << 20;
inline constexpr int64_t streamed_unary_row = streamed_row / 2 * 3;

// Calls `value(i)` for the vector of elements from i on, and `tail(i, mask)` for the last, partial
// one, and writes what they return to `to`; past the caches if there are as many as `streamed`.
template <typename Value, typename Tail>
HWY_INLINE void store_each(float* to, int64_t count, Value value, Tail tail,
                           int64_t streamed = streamed_row) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  if (count >= streamed) {
    const auto misaligned =
        static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) / sizeof(float)) % lanes;
    const int64_t head = misaligned == 0 ? 0 : lanes - misaligned;
    if (head > 0) {
      const auto mask = hn::FirstN(d, static_cast<size_t>(head));
      masked_store(tail(0, mask), mask, d, to);
      i = head;
    }
    for (; i + lanes <= count; i += lanes) hn::Stream(value(i), d, to + i);
    hwy::FlushStream();
  } else {
    for (; i + lanes <= count; i += lanes) hn::StoreU(value(i), d, to + i);
  }
  if (i == count) return;
  const auto mask = hn::FirstN(d, static_cast<size_t>(count - i));
  masked_store(tail(i, mask), mask, d, to + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#endif
