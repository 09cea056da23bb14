#include "kernels/vector_rows.hpp"
#include "kernels/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector_affine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/vector_store-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

HWY_INLINE V affine(V x, V centre, V factor, V bias) {
  return hn::MulAdd(hn::Sub(x, centre), factor, bias);
}

// One channel: all but x repeat.
void repeated(const float* const* in, float* to, int64_t count) {
  const D d;
  const float* x = in[0];
  const V centre = hn::Set(d, *in[1]);
  const V factor = hn::Set(d, *in[2]);
  const V bias = hn::Set(d, *in[3]);
  store_each(
      to, count, [=](int64_t i) HWY_ATTR { return affine(hn::LoadU(d, x + i), centre, factor, bias); },
      [=](int64_t i, auto mask) HWY_ATTR {
        return affine(hn::MaskedLoad(mask, d, x + i), centre, factor, bias);
      });
}

// All channels of one place, side by side.
void contiguous(const float* const* in, float* to, int64_t count) {
  const D d;
  store_each(
      to, count,
      [=](int64_t i) HWY_ATTR {
        return affine(hn::LoadU(d, in[0] + i), hn::LoadU(d, in[1] + i), hn::LoadU(d, in[2] + i),
                      hn::LoadU(d, in[3] + i));
      },
      [=](int64_t i, auto mask) HWY_ATTR {
        return affine(hn::MaskedLoad(mask, d, in[0] + i), hn::MaskedLoad(mask, d, in[1] + i),
                      hn::MaskedLoad(mask, d, in[2] + i), hn::MaskedLoad(mask, d, in[3] + i));
      });
}

void spread(char* const* data, const int64_t* steps, int64_t count) {
  constexpr int64_t block = 128;
  HWY_ALIGN float gathered[4][block];
  const float* in[4] = {gathered[0], gathered[1], gathered[2], gathered[3]};
  for (int64_t done = 0; done < count; done += block) {
    const int64_t part = HWY_MIN(block, count - done);
    for (int k = 0; k < 4; ++k) {
      for (int64_t i = 0; i < part; ++i) {
        gathered[k][i] = *reinterpret_cast<const float*>(data[k] + (done + i) * steps[k]);
      }
    }
    contiguous(in, gathered[0], part);
    for (int64_t i = 0; i < part; ++i) {
      *reinterpret_cast<float*>(data[4] + (done + i) * steps[4]) = gathered[0][i];
    }
  }
}

void row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  constexpr auto step = static_cast<int64_t>(sizeof(float));
  const float* in[4];
  for (int k = 0; k < 4; ++k) in[k] = reinterpret_cast<const float*>(data[k]);
  auto* to = reinterpret_cast<float*>(data[4]);
  if (steps[0] != step || steps[4] != step) return spread(data, steps, count);
  if (steps[1] == 0 && steps[2] == 0 && steps[3] == 0) return repeated(in, to, count);
  if (steps[1] == step && steps[2] == step && steps[3] == step) return contiguous(in, to, count);
  spread(data, steps, count);
}

Row find_affine() { return row; }

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_affine);
Row vector_affine_row() { return HWY_DYNAMIC_DISPATCH(find_affine)(); }
}  // namespace cpu
#endif
