#include "kernels/pooling/pool_lines.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pooling/vector_largest.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/vector_mask-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
using DIndex = hn::RebindToSigned<D>;
using VIndex = hn::Vec<DIndex>;

struct Found {
  V largest;
  VIndex index;
};

// `load` reads some channels of an element.
template <typename Load>
HWY_INLINE Found largest_of_taps(const ChannelPositions<float>& positions, const float* x,
                                 Load load) {
  const DIndex di;
  Found best = {load(x + positions.taps[0]),
                hn::Set(di, static_cast<int32_t>(positions.indices[0]))};
  for (int64_t t = 1; t < positions.tap_count; ++t) {
    const V now = load(x + positions.taps[t]);
    const auto kept = hn::Or(hn::Le(now, best.largest), hn::IsNaN(best.largest));
    const auto index = hn::Set(di, static_cast<int32_t>(positions.indices[t]));
    best.largest = hn::IfThenElse(kept, best.largest, now);
    best.index = hn::IfThenElse(hn::RebindMask(di, kept), best.index, index);
  }
  return best;
}

#if HWY_TARGET == HWY_SCALAR

void largest_of_channels(const ChannelPositions<float>& positions, float* largest,
                         int64_t* indices) {
  for (int64_t p = 0; p < positions.count; ++p) {
    const float* x = positions.x + p * positions.x_step;
    for (int64_t c = 0; c < positions.channels; ++c) {
      const Found found =
          largest_of_taps(positions, x + c, [](const float* at) { return hn::Load(D(), at); });
      *largest++ = hn::GetLane(found.largest);
      *indices++ = positions.firsts[c] + hn::GetLane(found.index) + p * positions.index_step;
    }
  }
}

#else

using DWide = hn::Repartition<int64_t, D>;

// Writes the indices of `count` channels at most: a vector of them holds half.
HWY_INLINE void store_indices(VIndex found, int64_t more, const int64_t* firsts, int64_t count,
                              int64_t* indices) {
  const DWide wide;
  const hn::Half<DIndex> half;
  const auto lanes = static_cast<int64_t>(hn::Lanes(wide));
  const auto add = hn::Set(wide, more);
  const auto store = [&](hn::Vec<hn::Half<DIndex> > part, int64_t at) {
    if (count <= at) return;
    const auto first = hn::LoadU(wide, firsts + at);
    const auto index = hn::Add(hn::PromoteTo(wide, part), hn::Add(first, add));
    if (count - at >= lanes) {
      hn::StoreU(index, wide, indices + at);
    } else {
      masked_store(index, hn::FirstN(wide, static_cast<size_t>(count - at)), wide, indices + at);
    }
  };
  store(hn::LowerHalf(half, found), 0);
  store(hn::UpperHalf(half, found), lanes);
}

HWY_INLINE void largest_of_position(const ChannelPositions<float>& positions, int64_t position,
                                    float* largest, int64_t* indices) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const float* x = positions.x + position * positions.x_step;
  const int64_t more = position * positions.index_step;
  for (int64_t c = 0; c < positions.channels; c += lanes) {
    const int64_t some = HWY_MIN(lanes, positions.channels - c);
    Found found;
    if (some == lanes) {
      found = largest_of_taps(positions, x + c, [=](const float* at) { return hn::LoadU(d, at); });
      hn::StoreU(found.largest, d, largest + c);
    } else {
      const auto mask = hn::FirstN(d, static_cast<size_t>(some));
      found = largest_of_taps(positions, x + c,
                              [=](const float* at) { return masked_load(mask, d, at); });
      masked_store(found.largest, mask, d, largest + c);
    }
    store_indices(found.index, more, positions.firsts + c, some, indices + c);
  }
}

void largest_of_channels(const ChannelPositions<float>& positions, float* largest,
                         int64_t* indices) {
  for (int64_t position = 0; position < positions.count; ++position) {
    largest_of_position(positions, position, largest, indices);
    largest += positions.channels;
    indices += positions.channels;
  }
}

#endif

LargestOfChannels find_largest_of_channels() { return largest_of_channels; }

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_largest_of_channels);
LargestOfChannels vector_largest_of_channels() {
  return HWY_DYNAMIC_DISPATCH(find_largest_of_channels)();
}
}  // namespace cpu
#endif
