// Loading and storing some lanes of a vector, without touching the memory of the others. Included
// once for each target.
#if defined(CPU_VECTOR_MASK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CPU_VECTOR_MASK_INL
#undef CPU_VECTOR_MASK_INL
#else
#define CPU_VECTOR_MASK_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

// Highway's own MaskedLoad and BlendedStore do not do: on targets without masked instructions (SSE,
// NEON, the emulated one) they read whole vectors, and write back what they read. That reaches
// beyond the end of a tensor, and undoes what another thread writes there meanwhile.

// Calls `body` for each lane that the mask holds.
template <typename Tag, typename Mask, typename Body>
HWY_INLINE void for_each_masked(Tag d, Mask mask, Body body) {
  namespace hn = hwy::HWY_NAMESPACE;
  uint8_t bits[8 + hn::MaxLanes(Tag()) / 8] = {};
  hn::StoreMaskBits(d, mask, bits);
  for (size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    if ((bits[lane / 8] >> (lane % 8) & 1) != 0) body(lane);
  }
}

template <typename Tag, typename Mask>
HWY_INLINE auto masked_load(Mask mask, Tag d, const hwy::HWY_NAMESPACE::TFromD<Tag>* from) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN hn::TFromD<Tag> lanes[hn::MaxLanes(Tag())] = {};
  for_each_masked(d, mask, [&](size_t lane) { lanes[lane] = from[lane]; });
  return hn::Load(d, lanes);
#else
  return hn::MaskedLoad(mask, d, from);
#endif
}

template <typename Vector, typename Tag, typename Mask>
HWY_INLINE void masked_store(Vector vector, Mask mask, Tag d, hwy::HWY_NAMESPACE::TFromD<Tag>* to) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN hn::TFromD<Tag> lanes[hn::MaxLanes(Tag())];
  hn::Store(vector, d, lanes);
  for_each_masked(d, mask, [&](size_t lane) { to[lane] = lanes[lane]; });
#else
  hn::BlendedStore(vector, mask, d, to);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#endif
