#include "simd/vector_columns.hpp"

#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/vector_mask-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Calls `body(c, load, store)` for each vector of columns; the last, partial one by a mask.
template <typename Body>
HWY_INLINE void for_each_column(int64_t columns, Body body) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto load = [d](const float* p) HWY_ATTR { return hn::LoadU(d, p); };
  const auto store = [d](V v, float* p) HWY_ATTR { hn::StoreU(v, d, p); };
  int64_t c = 0;
  for (; c + lanes <= columns; c += lanes) body(c, load, store);
  if (c == columns) return;
  const auto mask = hn::FirstN(d, static_cast<size_t>(columns - c));
  body(
      c, [d, mask](const float* p) HWY_ATTR { return masked_load(mask, d, p); },
      [d, mask](V v, float* p) HWY_ATTR { masked_store(v, mask, d, p); });
}

void sums_of_columns(const ColumnBlock<float>& block, const float* centre,
                     const ColumnSums<float>& to) {
  for_each_column(block.columns, [&](int64_t c, auto load, auto store) HWY_ATTR {
    const V middle = load(centre + c);
    V plain = hn::Zero(D()), squared = plain, gradients = plain, along = plain;
    for (int64_t r = 0; r < block.rows; ++r) {
      const int64_t at = r * block.columns + c;
      const V grad = load(block.gradient + at);
      const V distance = hn::Sub(load(block.x + at), middle);
      plain = hn::Add(plain, distance);
      squared = hn::MulAdd(distance, distance, squared);
      gradients = hn::Add(gradients, grad);
      along = hn::MulAdd(grad, distance, along);
    }
    store(plain, to.plain + c);
    store(squared, to.squared + c);
    store(gradients, to.gradient + c);
    store(along, to.along + c);
  });
}

void gradient_of_columns(const ColumnBlock<float>& block, const ColumnFactors<float>& factors,
                         float* to) {
  for_each_column(block.columns, [&](int64_t c, auto load, auto store) HWY_ATTR {
    const V middle = load(factors.centre + c), times = load(factors.factor + c);
    const V plus = load(factors.shift + c), scale = load(factors.scale + c);
    const V level = load(factors.mean + c), slant = load(factors.along + c);
    for (int64_t r = 0; r < block.rows; ++r) {
      const int64_t at = r * block.columns + c;
      const V standard = hn::MulAdd(hn::Sub(load(block.x + at), middle), times, plus);
      const V apart = hn::MulSub(load(block.gradient + at), scale, level);
      store(hn::Mul(times, hn::NegMulAdd(standard, slant, apart)), to + at);
    }
  });
}

const VectorColumns* find_columns() {
  static const VectorColumns columns = {sums_of_columns, gradient_of_columns};
  return &columns;
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_columns);
const VectorColumns& vector_columns() {
  static const VectorColumns& columns = *HWY_DYNAMIC_DISPATCH(find_columns)();
  return columns;
}
}  // namespace cpu
#endif
