#include "simd/vector_rows.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_binary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/vector_double-inl.hpp"
#include "simd/vector_mask-inl.hpp"
#include "simd/vector_pairs-inl.hpp"
#include "simd/vector_store-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Function = V (*)(V x, V y);

// The first NaN wins, as in numpy; of two zeros, the first.
HWY_INLINE V smaller(V x, V y) {
  const auto first = hn::Or(hn::Not(hn::Lt(y, x)), hn::IsNaN(x));
  return hn::IfThenElse(hn::AndNot(hn::IsNaN(y), first), x, hn::IfThenElse(hn::IsNaN(x), x, y));
}
HWY_INLINE V larger(V x, V y) {
  const auto first = hn::Or(hn::Not(hn::Lt(x, y)), hn::IsNaN(x));
  return hn::IfThenElse(hn::AndNot(hn::IsNaN(y), first), x, hn::IfThenElse(hn::IsNaN(x), x, y));
}

#define FUNCTION(name, grain, vector, exact) \
  HWY_INLINE V value_of_##name(V x, V y) { return vector; }
#define ARITHMETIC FUNCTION
#define FORM FUNCTION
#include "simd/binary_functions.def"
#undef FORM
#undef ARITHMETIC
#undef FUNCTION

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

InnerLoop find_binary(std::string_view name) {
#define FUNCTION(name, grain, vector, exact) {#name, row<value_of_##name>},
#define ARITHMETIC FUNCTION
#define FORM FUNCTION
  static constexpr NamedRow all[] = {
#include "simd/binary_functions.def"
  };
#undef FORM
#undef ARITHMETIC
#undef FUNCTION
  return row_named(all, name);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_binary);
InnerLoop vector_binary_row(std::string_view function) {
  return HWY_DYNAMIC_DISPATCH(find_binary)(function);
}
}  // namespace cpu
#endif
