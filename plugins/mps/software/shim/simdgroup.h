// <metal_simdgroup>: reductions, scans and shuffles among the active threads of a SIMD group.
#pragma once
#include "software/shim/collectives.h"
#include "software/shim/math.h"

namespace metal {

template <class In, class Out>
struct Exchange {
  In in;
  Out out;
};

#define MSL_REDUCTION(name, expression)                                              \
  template <class T>                                                                 \
  inline T name(T value, unsigned site = msl::site()) {                              \
    Exchange<T, T> mine{value, value};                                               \
    msl::park(                                                                       \
        msl::Scope::simdgroup, site,                                                 \
        [](msl::Lane* const* lanes, unsigned count) {                                \
          using Slot = Exchange<T, T>;                                               \
          T a = msl::payload<Slot>(lanes[0]).in;                                     \
          for (unsigned i = 1; i < count; ++i) {                                     \
            const T b = msl::payload<Slot>(lanes[i]).in;                             \
            a = T(expression);                                                       \
          }                                                                          \
          for (unsigned i = 0; i < count; ++i) msl::payload<Slot>(lanes[i]).out = a; \
        },                                                                           \
        &mine);                                                                      \
    return mine.out;                                                                 \
  }
MSL_REDUCTION(simd_sum, a + b)
MSL_REDUCTION(simd_product, a* b)
MSL_REDUCTION(simd_max, max(a, b))
MSL_REDUCTION(simd_min, min(a, b))
MSL_REDUCTION(simd_and, a& b)
MSL_REDUCTION(simd_or, a | b)
MSL_REDUCTION(simd_xor, a ^ b)
#undef MSL_REDUCTION

inline bool simd_any(bool value, unsigned site = msl::site()) {
  return simd_or<uint>(value ? 1u : 0u, site) != 0u;
}
inline bool simd_all(bool value, unsigned site = msl::site()) {
  return simd_and<uint>(value ? 1u : 0u, site) != 0u;
}

#define MSL_SCAN(name, first, symbol, result)                    \
  template <class T>                                             \
  inline T name(T value, unsigned site = msl::site()) {          \
    Exchange<T, T> mine{value, value};                           \
    msl::park(                                                   \
        msl::Scope::simdgroup, site,                             \
        [](msl::Lane* const* lanes, unsigned count) {            \
          T before = T(first);                                   \
          for (unsigned i = 0; i < count; ++i) {                 \
            auto& slot = msl::payload<Exchange<T, T>>(lanes[i]); \
            const T with = T(before symbol slot.in);             \
            slot.out = result;                                   \
            before = with;                                       \
          }                                                      \
        },                                                       \
        &mine);                                                  \
    return mine.out;                                             \
  }
MSL_SCAN(simd_prefix_inclusive_sum, 0, +, with)
MSL_SCAN(simd_prefix_exclusive_sum, 0, +, before)
MSL_SCAN(simd_prefix_inclusive_product, 1, *, with)
MSL_SCAN(simd_prefix_exclusive_product, 1, *, before)
#undef MSL_SCAN

template <class T>
struct Shuffle {
  T in;
  T out;
  uint from;
};

// A value from a lane that takes no part is undefined in Metal; here it is the caller's own.
template <class T>
inline T shuffle_from(T value, uint from, unsigned site) {
  Shuffle<T> mine{value, value, from};
  msl::park(
      msl::Scope::simdgroup, site,
      [](msl::Lane* const* lanes, unsigned count) {
        msl::Lane* by_number[32] = {};
        for (unsigned i = 0; i < count; ++i) by_number[lanes[i]->lane] = lanes[i];
        for (unsigned i = 0; i < count; ++i) {
          auto& slot = msl::payload<Shuffle<T>>(lanes[i]);
          if (slot.from < 32 && by_number[slot.from]) {
            slot.out = msl::payload<Shuffle<T>>(by_number[slot.from]).in;
          }
        }
      },
      &mine);
  return mine.out;
}
template <class T>
inline T simd_shuffle(T value, ushort lane, unsigned site = msl::site()) {
  return shuffle_from(value, lane, site);
}
template <class T>
inline T simd_broadcast(T value, ushort lane, unsigned site = msl::site()) {
  return shuffle_from(value, lane, site);
}
template <class T>
inline T simd_shuffle_xor(T value, ushort mask, unsigned site = msl::site()) {
  return shuffle_from(value, msl::lane() ^ mask, site);
}
template <class T>
inline T simd_shuffle_down(T value, ushort delta, unsigned site = msl::site()) {
  return shuffle_from(value, msl::lane() + delta, site);
}
template <class T>
inline T simd_shuffle_up(T value, ushort delta, unsigned site = msl::site()) {
  return shuffle_from(value, msl::lane() - delta, site);
}

template <class T>
inline T simd_broadcast_first(T value, unsigned site = msl::site()) {
  Exchange<T, T> mine{value, value};
  msl::park(
      msl::Scope::simdgroup, site,
      [](msl::Lane* const* lanes, unsigned count) {
        const T first = msl::payload<Exchange<T, T>>(lanes[0]).in;
        for (unsigned i = 0; i < count; ++i) msl::payload<Exchange<T, T>>(lanes[i]).out = first;
      },
      &mine);
  return mine.out;
}
inline bool simd_is_first(unsigned site = msl::site()) {
  return simd_broadcast_first<uint>(msl::lane(), site) == msl::lane();
}

class simd_vote {
 public:
  explicit simd_vote(ulong bits) : bits_(bits) {}
  explicit operator ulong() const { return bits_; }
  bool all() const { return bits_ == 0xfffffffful; }
  bool any() const { return bits_ != 0; }

 private:
  ulong bits_;
};
inline simd_vote simd_ballot(bool value, unsigned site = msl::site()) {
  return simd_vote(simd_or<ulong>(value ? 1ul << msl::lane() : 0ul, site));
}

}  // namespace metal
