#include "kernels/quantized/byte_rows.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantized/vector_byte_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "gemm/vector_tiles-inl.hpp"
#include "kernels/quantized/vector_bytes-inl.hpp"
#include "simd/vector_mask-inl.hpp"

// Plain loops are vectorised by the compiler, for each target.
HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Integers = hn::ScalableTag<int32_t>;
using Floats = hn::ScalableTag<float>;

void flip(const uint8_t* from, int64_t count, uint8_t* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = from[i] ^ 0x80;
}

int32_t sum(const uint8_t* from, int64_t count) {
  uint32_t made = 0;
  for (int64_t i = 0; i < count; ++i) made += from[i];
  return static_cast<int32_t>(made);
}

void pair(const uint8_t* from, int64_t count, int32_t* to) {
  for (int64_t i = 0; i < count / 2; ++i) to[i] = from[2 * i] | from[2 * i + 1] << 16;
  if (count % 2 != 0) to[count / 2] = from[count - 1];
}

void take_off(int32_t* sums, int64_t count, int32_t row_excess, const int32_t* right_zeros) {
  auto* to = reinterpret_cast<uint32_t*>(sums);
  const auto* zeros = reinterpret_cast<const uint32_t*>(right_zeros);
  const auto excess = static_cast<uint32_t>(row_excess);
  for (int64_t j = 0; j < count; ++j) to[j] -= zeros[j] * excess;
}

void add_terms(const SumRows& from, int32_t* to, int64_t step) {
  const auto* terms = reinterpret_cast<const uint32_t*>(from.terms);
  const auto* sums = reinterpret_cast<const uint32_t*>(from.sums);
  for (int64_t i = 0; i < from.rows; ++i, sums += from.columns, to += step) {
    for (int64_t j = 0; j < from.columns; ++j) to[j] = static_cast<int32_t>(sums[j] + terms[j]);
  }
}

// ---- back to bytes

// Columns [first, first + Vectors * lanes) of all rows.
template <typename T, int Vectors, bool MayBeNaN>
void columns_to_bytes(const SumRows& from, int64_t first, int32_t zero, uint8_t* to, int64_t step) {
  const Integers d;
  const Floats f;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const RoundToBytes<T> bytes_of(zero);
  hn::Vec<Integers> terms[Vectors];
  hn::Vec<Floats> factors[Vectors];
  for (int v = 0; v < Vectors; ++v) {
    terms[v] = hn::LoadU(d, from.terms + first + v * lanes);
    factors[v] = hn::LoadU(f, from.factors + first + v * lanes);
  }
  const int32_t* sums = from.sums + first;
  to += first;
  for (int64_t i = 0; i < from.rows; ++i, sums += from.columns, to += step) {
    for (int v = 0; v < Vectors; ++v) {
      const auto sum = hn::Add(hn::LoadU(d, sums + v * lanes), terms[v]);
      const auto real = hn::Mul(hn::ConvertTo(f, sum), factors[v]);
      const auto bytes = MayBeNaN ? bytes_of.or_zero(real) : bytes_of(real);
      hn::StoreU(bytes, typename RoundToBytes<T>::Bytes(), to + v * lanes);
    }
  }
}

// Fewer columns than a vector has.
template <typename T>
void few_columns_to_bytes(const SumRows& from, int32_t zero, uint8_t* to, int64_t step) {
  const Integers d;
  const Floats f;
  const RoundToBytes<T> bytes_of(zero);
  const auto mask = hn::FirstN(d, static_cast<size_t>(from.columns));
  const auto terms = masked_load(mask, d, from.terms);
  const auto factors =
      masked_load(hn::FirstN(f, static_cast<size_t>(from.columns)), f, from.factors);
  HWY_ALIGN uint8_t bytes[hn::MaxLanes(Integers())];
  const int32_t* sums = from.sums;
  for (int64_t i = 0; i < from.rows; ++i, sums += from.columns, to += step) {
    const auto sum = hn::Add(masked_load(mask, d, sums), terms);
    const auto real = hn::Mul(hn::ConvertTo(f, sum), factors);
    hn::StoreU(bytes_of.or_zero(real), typename RoundToBytes<T>::Bytes(), bytes);
    for (int64_t j = 0; j < from.columns; ++j) to[j] = bytes[j];
  }
}

// The last vector of a row may write again what the one before it wrote.
template <typename T, bool MayBeNaN>
void many_columns_to_bytes(const SumRows& from, int32_t zero, uint8_t* to, int64_t step) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(Integers()));
  int64_t j = 0;
  for (; j + 4 * lanes <= from.columns; j += 4 * lanes) {
    columns_to_bytes<T, 4, MayBeNaN>(from, j, zero, to, step);
  }
  for (; j < from.columns; j += lanes) {
    const int64_t first = std::min(j, from.columns - lanes);
    columns_to_bytes<T, 1, MayBeNaN>(from, first, zero, to, step);
  }
}

template <typename T>
void to_bytes(const SumRows& from, int32_t zero, T* to, int64_t step) {
  auto* bytes = reinterpret_cast<uint8_t*>(to);
  if (from.columns < static_cast<int64_t>(hn::Lanes(Integers()))) {
    few_columns_to_bytes<T>(from, zero, bytes, step);
  } else if (from.factors_are_finite) {
    many_columns_to_bytes<T, false>(from, zero, bytes, step);
  } else {
    many_columns_to_bytes<T, true>(from, zero, bytes, step);
  }
}

void to_signed(const SumRows& from, int32_t zero, int8_t* to, int64_t step) {
  to_bytes(from, zero, to, step);
}
void to_unsigned(const SumRows& from, int32_t zero, uint8_t* to, int64_t step) {
  to_bytes(from, zero, to, step);
}

// ---- real numbers as bytes

template <typename T>
void from_reals(const float* from, int64_t count, float scale, int32_t zero, T* to) {
  const Floats f;
  const auto lanes = static_cast<int64_t>(hn::Lanes(f));
  const RoundToBytes<T> bytes_of(zero);
  const typename RoundToBytes<T>::Bytes narrow;
  const auto scales = hn::Set(f, scale);
  auto* bytes = reinterpret_cast<uint8_t*>(to);
  const auto write = [&](const float* x, uint8_t* y) HWY_ATTR {
    hn::StoreU(bytes_of.or_zero(hn::Div(hn::LoadU(f, x), scales)), narrow, y);
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) write(from + i, bytes + i);
  if (i == count) return;
  HWY_ALIGN float last[hn::MaxLanes(Floats())] = {};
  HWY_ALIGN uint8_t last_bytes[hn::MaxLanes(Floats())];
  for (int64_t j = i; j < count; ++j) last[j - i] = from[j];
  write(last, last_bytes);
  for (int64_t j = i; j < count; ++j) bytes[j] = last_bytes[j - i];
}

void signed_from_reals(const float* from, int64_t count, float scale, int32_t zero, int8_t* to) {
  from_reals(from, count, scale, zero, to);
}
void unsigned_from_reals(const float* from, int64_t count, float scale, int32_t zero, uint8_t* to) {
  from_reals(from, count, scale, zero, to);
}

// ---- bytes as real numbers

template <typename T>
void to_reals(const T* from, int64_t count, int32_t zero, float scale, float* to) {
  const Integers d;
  const hn::Rebind<T, Integers> narrow;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto zeros = hn::Set(d, zero);
  const auto scales = hn::Set(Floats(), scale);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto whole = hn::Sub(hn::PromoteTo(d, hn::LoadU(narrow, from + i)), zeros);
    const auto real = hn::Mul(hn::ConvertTo(Floats(), whole), scales);
    hn::StoreU(hn::Add(real, hn::Zero(Floats())), Floats(), to + i);  // no -0
  }
  for (; i < count; ++i) to[i] = static_cast<float>(from[i] - zero) * scale + 0.0f;
}

void signed_to_reals(const int8_t* from, int64_t count, int32_t zero, float scale, float* to) {
  to_reals(from, count, zero, scale, to);
}
void unsigned_to_reals(const uint8_t* from, int64_t count, int32_t zero, float scale, float* to) {
  to_reals(from, count, zero, scale, to);
}

// ---- channels by themselves

// `Vectors` of channels from `first` on.
template <int Vectors>
HWY_INLINE void channels_from(int64_t first, const uint8_t* const* taps, int64_t count,
                              const int32_t* weights, int64_t channels, int32_t* sums) {
  const Integers d;
  const hn::Rebind<uint8_t, Integers> narrow;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<Integers> made[Vectors];
  for (int v = 0; v < Vectors; ++v) made[v] = hn::Zero(d);
  for (int64_t t = 0; t < count; t += 2, weights += channels) {
    const bool has_second = t + 1 < count;
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      const int64_t at = first + v * lanes;
      auto pair = hn::PromoteTo(d, hn::LoadU(narrow, taps[t] + at));
      if (has_second) {
        const auto second = hn::PromoteTo(d, hn::LoadU(narrow, taps[t + 1] + at));
        pair = hn::Or(pair, hn::ShiftLeft<16>(second));
      }
      made[v] = PairProducts::add(pair, hn::LoadU(d, weights + at), made[v]);
    }
  }
  for (int v = 0; v < Vectors; ++v) hn::StoreU(made[v], d, sums + first + v * lanes);
}

void depthwise(const uint8_t* const* taps, int64_t count, const int32_t* weights, int64_t channels,
               int32_t* sums) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(Integers()));
  int64_t c = 0;
  for (; c + 4 * lanes <= channels; c += 4 * lanes) {
    channels_from<4>(c, taps, count, weights, channels, sums);
  }
  for (; c + lanes <= channels; c += lanes) {
    channels_from<1>(c, taps, count, weights, channels, sums);
  }
  for (; c < channels; ++c) {
    sums[c] = 0;
    for (int64_t t = 0; t < count; ++t) {
      const auto both = static_cast<uint32_t>(weights[t / 2 * channels + c]);
      const auto weight = static_cast<int16_t>(t % 2 == 0 ? both & 0xffff : both >> 16);
      sums[c] = static_cast<int32_t>(static_cast<uint32_t>(sums[c]) +
                                     static_cast<uint32_t>(weight * taps[t][c]));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {

HWY_EXPORT(flip);
HWY_EXPORT(sum);
HWY_EXPORT(pair);
HWY_EXPORT(take_off);
HWY_EXPORT(add_terms);
HWY_EXPORT(to_signed);
HWY_EXPORT(to_unsigned);
HWY_EXPORT(signed_from_reals);
HWY_EXPORT(unsigned_from_reals);
HWY_EXPORT(signed_to_reals);
HWY_EXPORT(unsigned_to_reals);
HWY_EXPORT(depthwise);

void flip_row(const uint8_t* from, int64_t count, uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(flip)(from, count, to);
}
int32_t sum_row(const uint8_t* from, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(sum)(from, count);
}
void pair_row(const uint8_t* from, int64_t count, int32_t* to) {
  HWY_DYNAMIC_DISPATCH(pair)(from, count, to);
}
void take_off_row(int32_t* sums, int64_t count, int32_t row_excess, const int32_t* right_zeros) {
  HWY_DYNAMIC_DISPATCH(take_off)(sums, count, row_excess, right_zeros);
}
void write_sums(const SumRows& from, int32_t* to, int64_t step) {
  HWY_DYNAMIC_DISPATCH(add_terms)(from, to, step);
}
template <>
void write_bytes(const SumRows& from, int32_t zero, int8_t* to, int64_t step) {
  HWY_DYNAMIC_DISPATCH(to_signed)(from, zero, to, step);
}
template <>
void write_bytes(const SumRows& from, int32_t zero, uint8_t* to, int64_t step) {
  HWY_DYNAMIC_DISPATCH(to_unsigned)(from, zero, to, step);
}
template <>
void write_quantized(const float* from, int64_t count, float scale, int32_t zero, int8_t* to) {
  HWY_DYNAMIC_DISPATCH(signed_from_reals)(from, count, scale, zero, to);
}
template <>
void write_quantized(const float* from, int64_t count, float scale, int32_t zero, uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(unsigned_from_reals)(from, count, scale, zero, to);
}
template <>
void write_reals(const int8_t* from, int64_t count, int32_t zero, float scale, float* to) {
  HWY_DYNAMIC_DISPATCH(signed_to_reals)(from, count, zero, scale, to);
}
template <>
void write_reals(const uint8_t* from, int64_t count, int32_t zero, float scale, float* to) {
  HWY_DYNAMIC_DISPATCH(unsigned_to_reals)(from, count, zero, scale, to);
}
void depthwise_row(const uint8_t* const* taps, int64_t count, const int32_t* weights,
                   int64_t channels, int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(depthwise)(taps, count, weights, channels, sums);
}

}  // namespace cpu
#endif
