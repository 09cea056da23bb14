#include "simd/unary_parameters.hpp"
#include "simd/vector_rows.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_unary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

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

HWY_INLINE V abs_of(V x, const Numbers&) { return hn::Abs(x); }
HWY_INLINE V neg_of(V x, const Numbers&) { return hn::Neg(x); }
HWY_INLINE V floor_of(V x, const Numbers&) { return hn::Floor(x); }
HWY_INLINE V ceil_of(V x, const Numbers&) { return hn::Ceil(x); }
HWY_INLINE V round_of(V x, const Numbers&) { return hn::Round(x); }
HWY_INLINE V sqrt_of(V x, const Numbers&) { return hn::Sqrt(x); }
HWY_INLINE V reciprocal_of(V x, const Numbers&) { return hn::Div(set(1.0f), x); }
HWY_INLINE V exp_of(V x, const Numbers&) { return exp(x); }
HWY_INLINE V log_of(V x, const Numbers&) { return log(x); }
HWY_INLINE V exp2_of(V x, const Numbers&) { return exp2(x); }
HWY_INLINE V expm1_of(V x, const Numbers&) { return expm1(x); }
HWY_INLINE V log1p_of(V x, const Numbers&) { return log1p(x); }
HWY_INLINE V log2_of(V x, const Numbers&) { return log2(x); }
HWY_INLINE V log10_of(V x, const Numbers&) { return log10(x); }
HWY_INLINE V rsqrt_of(V x, const Numbers&) { return hn::Div(set(1.0f), hn::Sqrt(x)); }
HWY_INLINE V trunc_of(V x, const Numbers&) { return hn::Trunc(x); }
HWY_INLINE V sin_of(V x, const Numbers&) { return sin(x); }
HWY_INLINE V cos_of(V x, const Numbers&) { return cos(x); }
HWY_INLINE V tan_of(V x, const Numbers&) { return tan(x); }
HWY_INLINE V asin_of(V x, const Numbers&) { return asin(x); }
HWY_INLINE V acos_of(V x, const Numbers&) { return acos(x); }
HWY_INLINE V atan_of(V x, const Numbers&) { return atan(x); }
HWY_INLINE V sinh_of(V x, const Numbers&) { return sinh(x); }
HWY_INLINE V cosh_of(V x, const Numbers&) { return cosh(x); }
HWY_INLINE V asinh_of(V x, const Numbers&) { return asinh(x); }
HWY_INLINE V acosh_of(V x, const Numbers&) { return acosh(x); }
HWY_INLINE V atanh_of(V x, const Numbers&) { return atanh(x); }
HWY_INLINE V tanh_of(V x, const Numbers&) { return tanh(x); }
HWY_INLINE V erf_of(V x, const Numbers&) { return erf(x); }
HWY_INLINE V sigmoid_of(V x, const Numbers&) { return sigmoid(x); }

HWY_INLINE V sign_of(V x, const Numbers&) {
  const V zero = hn::Zero(D());
  const V below = hn::IfThenElse(hn::Lt(x, zero), set(-1.0f), x);
  return hn::IfThenElse(hn::Gt(x, zero), set(1.0f), below);
}

HWY_INLINE V positive_part(V x) {  // NaN stays
  return hn::IfThenElse(hn::Lt(x, hn::Zero(D())), hn::Zero(D()), x);
}

HWY_INLINE V relu_of(V x, const Numbers&) { return positive_part(x); }

HWY_INLINE V leaky_relu_of(V x, const Numbers& n) {
  return hn::IfThenElse(hn::Lt(x, hn::Zero(D())), hn::Mul(x, n.a), x);
}
HWY_INLINE V elu_of(V x, const Numbers& n) {
  return hn::IfThenElse(hn::Lt(x, hn::Zero(D())), hn::Mul(n.a, expm1(x)), x);
}
HWY_INLINE V selu_of(V x, const Numbers& n) {
  const V below = hn::Mul(n.a, expm1(x));
  return hn::Mul(n.b, hn::IfThenElse(hn::Gt(x, hn::Zero(D())), x, below));
}
HWY_INLINE V celu_of(V x, const Numbers& n) {
  return hn::IfThenElse(hn::Lt(x, hn::Zero(D())), hn::Mul(n.a, expm1(hn::Div(x, n.a))), x);
}
HWY_INLINE V unit_clamp(V x) {
  const V above = hn::IfThenElse(hn::Gt(x, set(1.0f)), set(1.0f), x);
  return positive_part(above);
}
HWY_INLINE V swish_of(V x, const Numbers& n) { return hn::Mul(x, sigmoid(hn::Mul(n.a, x))); }
HWY_INLINE V hard_sigmoid_of(V x, const Numbers& n) { return unit_clamp(hn::MulAdd(n.a, x, n.b)); }
HWY_INLINE V hard_swish_of(V x, const Numbers&) {
  return hn::Mul(x, unit_clamp(hn::MulAdd(x, set(1.0f / 6.0f), set(0.5f))));
}
HWY_INLINE V gelu_of(V x, const Numbers&) {
  const V half = hn::Mul(set(0.5f), x);
  return hn::MulAdd(half, erf(hn::Mul(x, set(0.70710678118654752f))), half);
}
HWY_INLINE V gelu_tanh_of(V x, const Numbers&) {
  const V cube = hn::Mul(hn::Mul(x, x), x);
  const V inner = hn::Mul(set(0.79788456080286536f), hn::MulAdd(set(0.044715f), cube, x));
  const V half = hn::Mul(set(0.5f), x);
  return hn::MulAdd(half, tanh(inner), half);
}
HWY_INLINE V softplus_of(V x, const Numbers&) {
  const V tail = log1p(exp(hn::Neg(hn::Abs(x))));
  return hn::Add(positive_part(x), tail);
}
HWY_INLINE V mish_of(V x, const Numbers& n) { return hn::Mul(x, tanh(softplus_of(x, n))); }
HWY_INLINE V softsign_of(V x, const Numbers&) { return hn::Div(x, hn::Add(set(1.0f), hn::Abs(x))); }
HWY_INLINE V thresholded_relu_of(V x, const Numbers& n) {
  return hn::IfThenElseZero(hn::Gt(x, n.a), x);
}

template <Function function>
void contiguous(const float* from, float* to, int64_t count, const Numbers& numbers) {
  const D d;
  store_each(
      to, count, [&](int64_t i) { return function(hn::LoadU(d, from + i), numbers); },
      [&](int64_t i, auto mask) { return function(masked_load(mask, d, from + i), numbers); });
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

Row find_unary(std::string_view name) {
  static constexpr NamedRow all[] = {
      {"Abs", row<abs_of>},
      {"Neg", row<neg_of>},
      {"Sign", row<sign_of>},
      {"Floor", row<floor_of>},
      {"Ceil", row<ceil_of>},
      {"Round", row<round_of>},
      {"Sqrt", row<sqrt_of>},
      {"Reciprocal", row<reciprocal_of>},
      {"Exp", row<exp_of>},
      {"Log", row<log_of>},
      {"Exp2", row<exp2_of>},
      {"Expm1", row<expm1_of>},
      {"Log1p", row<log1p_of>},
      {"Log2", row<log2_of>},
      {"Log10", row<log10_of>},
      {"Rsqrt", row<rsqrt_of>},
      {"Trunc", row<trunc_of>},
      {"Sin", row<sin_of>},
      {"Cos", row<cos_of>},
      {"Tan", row<tan_of>},
      {"Asin", row<asin_of>},
      {"Acos", row<acos_of>},
      {"Atan", row<atan_of>},
      {"Sinh", row<sinh_of>},
      {"Cosh", row<cosh_of>},
      {"Asinh", row<asinh_of>},
      {"Acosh", row<acosh_of>},
      {"Atanh", row<atanh_of>},
      {"Tanh", row<tanh_of>},
      {"Erf", row<erf_of>},
      {"Sigmoid", row<sigmoid_of>},
      {"Relu", row<relu_of>},
      {"LeakyRelu", row<leaky_relu_of>},
      {"Elu", row<elu_of>},
      {"Selu", row<selu_of>},
      {"Celu", row<celu_of>},
      {"Swish", row<swish_of>},
      {"HardSigmoid", row<hard_sigmoid_of>},
      {"HardSwish", row<hard_swish_of>},
      {"Gelu", row<gelu_of>},
      {"Gelu/tanh", row<gelu_tanh_of>},
      {"Softplus", row<softplus_of>},
      {"Mish", row<mish_of>},
      {"Softsign", row<softsign_of>},
      {"ThresholdedRelu", row<thresholded_relu_of>},
  };
  return row_named(all, name);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_unary);
Row vector_unary_row(std::string_view function) {
  return HWY_DYNAMIC_DISPATCH(find_unary)(function);
}
}  // namespace cpu
#endif
