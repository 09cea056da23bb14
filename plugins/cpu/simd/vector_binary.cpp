#include <cmath>

#include "simd/vector_rows.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_binary.cpp"
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
using Function = V (*)(V x, V y);

HWY_INLINE V add_of(V x, V y) { return hn::Add(x, y); }
HWY_INLINE V sub_of(V x, V y) { return hn::Sub(x, y); }
HWY_INLINE V mul_of(V x, V y) { return hn::Mul(x, y); }
HWY_INLINE V div_of(V x, V y) { return hn::Div(x, y); }

// The first NaN wins, as in numpy; of two zeros, the first.
HWY_INLINE V min_of(V x, V y) {
  const auto first = hn::Or(hn::Not(hn::Lt(y, x)), hn::IsNaN(x));
  return hn::IfThenElse(hn::AndNot(hn::IsNaN(y), first), x, hn::IfThenElse(hn::IsNaN(x), x, y));
}
HWY_INLINE V max_of(V x, V y) {
  const auto first = hn::Or(hn::Not(hn::Lt(x, y)), hn::IsNaN(x));
  return hn::IfThenElse(hn::AndNot(hn::IsNaN(y), first), x, hn::IfThenElse(hn::IsNaN(x), x, y));
}
HWY_INLINE V prelu_of(V x, V slope) {
  return hn::IfThenElse(hn::Lt(x, hn::Zero(D())), hn::Mul(x, slope), x);
}

HWY_NOINLINE V fmod_by_lanes(V x, V y) {
  HWY_ALIGN float left[HWY_MAX_BYTES / sizeof(float)];
  HWY_ALIGN float right[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(x, D(), left);
  hn::Store(y, D(), right);
  for (size_t i = 0; i < hn::Lanes(D()); ++i) left[i] = std::fmod(left[i], right[i]);
  return hn::Load(D(), left);
}

// Exact. A quotient below 2^23 has the right whole part, or the next one where the division has
// rounded up to it; a multiplication that does not round leaves the remainder then, or that minus
// y. Other lanes, all of them where the processor has no such multiplication, go through C's.
HWY_INLINE V fmod_of(V x, V y) {
  const V zero = hn::Zero(D());
  const V a = hn::Abs(x), b = hn::Abs(y);
  const V whole = hn::Trunc(hn::Div(a, b));
  V rest = hn::NegMulAdd(whole, b, a);
  rest = hn::IfThenElse(hn::Lt(rest, zero), hn::Add(rest, b), rest);
  rest = hn::CopySign(hn::IfThenElse(hn::Eq(whole, zero), a, rest), x);  // y may be infinite
  const auto is_simple = hn::Lt(whole, hn::Set(D(), HWY_NATIVE_FMA ? 0x1p23f : -1.0f));
  if (HWY_LIKELY(hn::AllTrue(D(), is_simple))) return rest;
  return hn::IfThenElse(is_simple, rest, fmod_by_lanes(x, y));
}

// The remainder has the sign of y.
HWY_INLINE V mod_of(V x, V y) {
  const V zero = hn::Zero(D());
  const V rest = fmod_of(x, y);
  const auto differs =
      hn::Xor(hn::VecFromMask(D(), hn::Lt(rest, zero)), hn::VecFromMask(D(), hn::Lt(y, zero)));
  const auto turns = hn::AndNot(hn::Eq(rest, zero), hn::MaskFromVec(differs));
  return hn::IfThenElse(turns, hn::Add(rest, y), rest);
}

template <Function function>
void both(const float* x, const float* y, float* to, int64_t count) {
  const D d;
  store_each(
      to, count, [=](int64_t i) { return function(hn::LoadU(d, x + i), hn::LoadU(d, y + i)); },
      [=](int64_t i, auto mask) {
        return function(masked_load(mask, d, x + i), masked_load(mask, d, y + i));
      });
}

template <Function function>
void left_repeated(const float* x, const float* y, float* to, int64_t count) {
  const D d;
  const V left = hn::Set(d, *x);
  store_each(
      to, count, [=](int64_t i) { return function(left, hn::LoadU(d, y + i)); },
      [=](int64_t i, auto mask) { return function(left, masked_load(mask, d, y + i)); });
}

template <Function function>
void right_repeated(const float* x, const float* y, float* to, int64_t count) {
  const D d;
  const V right = hn::Set(d, *y);
  store_each(
      to, count, [=](int64_t i) { return function(hn::LoadU(d, x + i), right); },
      [=](int64_t i, auto mask) { return function(masked_load(mask, d, x + i), right); });
}

// Elements side by side: where they lie, or gathered into `buffer`.
HWY_INLINE const float* gathered(const char* data, int64_t step, int64_t count, float* buffer) {
  if (step == int64_t{sizeof(float)}) return reinterpret_cast<const float*>(data);
  for (int64_t i = 0; i < count; ++i) {
    buffer[i] = *reinterpret_cast<const float*>(data + i * step);
  }
  return buffer;
}

// Any steps: gathered into blocks, since a lone operation costs less than a scalar call of it.
template <Function function>
void spread(char* const* data, const int64_t* steps, int64_t count) {
  constexpr int64_t block = 128;
  HWY_ALIGN float x[block];
  HWY_ALIGN float y[block];
  const bool writes_directly = steps[2] == int64_t{sizeof(float)};
  for (int64_t done = 0; done < count; done += block) {
    const int64_t part = HWY_MIN(block, count - done);
    const float* left = gathered(data[0] + done * steps[0], steps[0], part, x);
    const float* right = gathered(data[1] + done * steps[1], steps[1], part, y);
    char* to = data[2] + done * steps[2];
    both<function>(left, right, writes_directly ? reinterpret_cast<float*>(to) : x, part);
    if (writes_directly) continue;
    for (int64_t i = 0; i < part; ++i) *reinterpret_cast<float*>(to + i * steps[2]) = x[i];
  }
}

template <Function function>
void row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  constexpr auto step = static_cast<int64_t>(sizeof(float));
  const auto* x = reinterpret_cast<const float*>(data[0]);
  const auto* y = reinterpret_cast<const float*>(data[1]);
  auto* to = reinterpret_cast<float*>(data[2]);
  if (steps[2] != step) return spread<function>(data, steps, count);
  if (steps[0] == step && steps[1] == step) return both<function>(x, y, to, count);
  if (steps[0] == step && steps[1] == 0) return right_repeated<function>(x, y, to, count);
  if (steps[0] == 0 && steps[1] == step) return left_repeated<function>(x, y, to, count);
  spread<function>(data, steps, count);
}

Row find_binary(std::string_view name) {
  static constexpr NamedRow all[] = {
      {"Add", row<add_of>},     {"Sub", row<sub_of>}, {"Mul", row<mul_of>},
      {"Div", row<div_of>},     {"Min", row<min_of>}, {"Max", row<max_of>},
      {"PRelu", row<prelu_of>}, {"Mod", row<mod_of>}, {"Fmod", row<fmod_of>},
  };
  return row_named(all, name);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_binary);
Row vector_binary_row(std::string_view function) {
  return HWY_DYNAMIC_DISPATCH(find_binary)(function);
}
}  // namespace cpu
#endif
