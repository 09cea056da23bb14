// Rows whose further operands belong to channels: repeated along the row, or side by side in it.
#include "simd/vector_rows.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_channels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/vector_mask-inl.hpp"
#include "simd/vector_store-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

struct Affine {
  static constexpr int numbers = 3;  // a channel's
  static HWY_INLINE V of(V x, V centre, V factor, V bias) {
    return hn::MulAdd(hn::Sub(x, centre), factor, bias);
  }
};

struct Quantize {
  static constexpr int numbers = 2;
  static HWY_INLINE V of(V x, V scale, V zero) {
    return hn::Add(hn::Round(hn::Div(x, scale)), zero);
  }
};

template <typename Op, typename Load>
HWY_INLINE V compute(Load load) {
  if constexpr (Op::numbers == 3) {
    return Op::of(load(0), load(1), load(2), load(3));
  } else {
    return Op::of(load(0), load(1), load(2));
  }
}

// One channel: all but x repeat.
template <typename Op>
void repeated(const float* const* in, float* to, int64_t count) {
  const D d;
  const float* x = in[0];
  const V a = hn::Set(d, *in[1]);
  const V b = hn::Set(d, *in[2]);
  const V c = hn::Set(d, Op::numbers == 3 ? *in[3] : 0.0f);
  const auto of = [=](V value) HWY_ATTR {
    return compute<Op>([=](int k) HWY_ATTR {
      return k == 0 ? value : k == 1 ? a : k == 2 ? b : c;
    });
  };
  store_each(
      to, count, [=](int64_t i) HWY_ATTR { return of(hn::LoadU(d, x + i)); },
      [=](int64_t i, auto mask) HWY_ATTR { return of(masked_load(mask, d, x + i)); });
}

// All channels of one position, side by side.
template <typename Op>
void contiguous(const float* const* in, float* to, int64_t count) {
  const D d;
  store_each(
      to, count,
      [=](int64_t i)
          HWY_ATTR { return compute<Op>([=](int k) HWY_ATTR { return hn::LoadU(d, in[k] + i); }); },
      [=](int64_t i, auto mask) HWY_ATTR {
        return compute<Op>([=](int k) HWY_ATTR { return masked_load(mask, d, in[k] + i); });
      });
}

template <typename Op>
void spread(char* const* data, const int64_t* steps, int64_t count) {
  constexpr int inputs = Op::numbers + 1;
  constexpr int64_t block = 128;
  HWY_ALIGN float gathered[4][block];
  const float* in[4] = {gathered[0], gathered[1], gathered[2], gathered[3]};
  for (int64_t done = 0; done < count; done += block) {
    const int64_t part = HWY_MIN(block, count - done);
    for (int k = 0; k < inputs; ++k) {
      for (int64_t i = 0; i < part; ++i) {
        gathered[k][i] = *reinterpret_cast<const float*>(data[k] + (done + i) * steps[k]);
      }
    }
    contiguous<Op>(in, gathered[0], part);
    for (int64_t i = 0; i < part; ++i) {
      *reinterpret_cast<float*>(data[inputs] + (done + i) * steps[inputs]) = gathered[0][i];
    }
  }
}

template <typename Op>
void row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  constexpr auto step = static_cast<int64_t>(sizeof(float));
  constexpr int inputs = Op::numbers + 1;
  const float* in[4];
  bool all_repeat = true;
  bool all_contiguous = true;
  for (int k = 0; k < inputs; ++k) {
    in[k] = reinterpret_cast<const float*>(data[k]);
    if (k > 0) all_repeat = all_repeat && steps[k] == 0;
    all_contiguous = all_contiguous && steps[k] == step;
  }
  auto* to = reinterpret_cast<float*>(data[inputs]);
  if (steps[0] != step || steps[inputs] != step) return spread<Op>(data, steps, count);
  if (all_repeat) return repeated<Op>(in, to, count);
  if (all_contiguous) return contiguous<Op>(in, to, count);
  spread<Op>(data, steps, count);
}

InnerLoop find_affine() { return row<Affine>; }
InnerLoop find_quantize() { return row<Quantize>; }

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_affine);
HWY_EXPORT(find_quantize);
InnerLoop vector_affine_row() { return HWY_DYNAMIC_DISPATCH(find_affine)(); }
InnerLoop vector_quantize_row() { return HWY_DYNAMIC_DISPATCH(find_quantize)(); }
}  // namespace cpu
#endif
