#include "simd/unary_parameters.hpp"
#include "simd/vector_rows.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_unary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/vector_gamma-inl.hpp"
#include "simd/vector_mask-inl.hpp"
#include "simd/vector_math-inl.hpp"
#include "simd/vector_store-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

struct Numbers {
  V a, b;
};

using Function = V (*)(V x, const Numbers& numbers);

HWY_INLINE MaskD is_below(V x, float bound) { return hn::Lt(x, set(bound)); }
HWY_INLINE MaskD is_above(V x, float bound) { return hn::Gt(x, set(bound)); }
HWY_INLINE V choose(MaskD mask, V where, V otherwise) {
  return hn::IfThenElse(mask, where, otherwise);
}

HWY_INLINE V sign(V x) {
  return choose(is_above(x, 0.0f), set(1.0f), choose(is_below(x, 0.0f), set(-1.0f), x));
}
HWY_INLINE V positive_part(V x) {  // NaN stays
  return choose(is_below(x, 0.0f), hn::Zero(D()), x);
}
HWY_INLINE V unit_clamp(V x) { return positive_part(choose(is_above(x, 1.0f), set(1.0f), x)); }
HWY_INLINE V softplus(V x) { return hn::Add(positive_part(x), log1p(exp(hn::Neg(hn::Abs(x))))); }
HWY_INLINE V gelu(V x) {
  const V half = hn::Mul(set(0.5f), x);
  return hn::MulAdd(half, erf(hn::Mul(x, set(0.70710678118654752f))), half);
}
HWY_INLINE V tanh_gelu(V x) {
  const V cube = hn::Mul(hn::Mul(x, x), x);
  const V inner = hn::Mul(set(0.79788456080286536f), hn::MulAdd(set(0.044715f), cube, x));
  const V half = hn::Mul(set(0.5f), x);
  return hn::MulAdd(half, tanh(inner), half);
}

#define FUNCTION(op, domain, grain, numbers, vector, exact) \
  HWY_INLINE V value_of_##op(V x, [[maybe_unused]] const Numbers& n) { return vector; }
#define FORM FUNCTION
#include "simd/unary_functions.def"
#undef FORM
#undef FUNCTION

template <Function function>
void contiguous(const float* from, float* to, int64_t count, const Numbers& numbers) {
  const D d;
  store_each(
      to, count, [&](int64_t i) { return function(hn::LoadU(d, from + i), numbers); },
      [&](int64_t i, auto mask) { return function(masked_load(mask, d, from + i), numbers); },
      streamed_unary_row);
}

template <Function function>
void row(char* const* data, const int64_t* steps, int64_t count, const void* parameters) {
  const auto& given = *static_cast<const UnaryParameters*>(parameters);
  const Numbers numbers = {set(static_cast<float>(given.a)), set(static_cast<float>(given.b))};
  constexpr auto step = static_cast<int64_t>(sizeof(float));
  if (steps[0] == step && steps[1] == step) {
    contiguous<function>(reinterpret_cast<const float*>(data[0]), reinterpret_cast<float*>(data[1]),
                         count, numbers);
    return;
  }
  constexpr int64_t block = 128;
  HWY_ALIGN float buffer[block];
  for (int64_t done = 0; done < count; done += block) {
    const int64_t part = HWY_MIN(block, count - done);
    for (int64_t i = 0; i < part; ++i) {
      buffer[i] = *reinterpret_cast<const float*>(data[0] + (done + i) * steps[0]);
    }
    contiguous<function>(buffer, buffer, part, numbers);
    for (int64_t i = 0; i < part; ++i) {
      *reinterpret_cast<float*>(data[1] + (done + i) * steps[1]) = buffer[i];
    }
  }
}

InnerLoop find_unary(std::string_view name) {
#define FUNCTION(op, domain, grain, numbers, vector, exact) {#op, row<value_of_##op>},
#define FORM FUNCTION
  static constexpr NamedRow all[] = {
#include "simd/unary_functions.def"
  };
#undef FORM
#undef FUNCTION
  return row_named(all, name);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_unary);
InnerLoop vector_unary_row(std::string_view function) {
  return HWY_DYNAMIC_DISPATCH(find_unary)(function);
}
}  // namespace cpu
#endif
