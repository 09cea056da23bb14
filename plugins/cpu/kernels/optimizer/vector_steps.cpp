#include <cmath>

#include "kernels/optimizer/steps.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/optimizer/vector_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/vector_mask-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls `body(load, store)` for each vector of `count` elements, where load(pointer) and
// store(vector, pointer) reach the vector's elements, fewer for the last one.
template <typename T, typename Body>
HWY_INLINE void for_each_vector(int64_t count, Body body) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    body([=](const T* from) { return hn::LoadU(d, from + i); },
         [=](V vector, T* to) { hn::StoreU(vector, d, to + i); });
  }
  if (i == count) return;
  const auto mask = hn::FirstN(d, static_cast<size_t>(count - i));
  body([=](const T* from) { return masked_load(mask, d, from + i); },
       [=](V vector, T* to) { masked_store(vector, mask, d, to + i); });
}

template <typename T>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> all(double number) {
  return hn::Set(hn::ScalableTag<T>(), static_cast<T>(number));
}

template <typename T>
void sgd(const SgdNumbers& numbers, const T* const* from, T* const* to, int64_t count) {
  const auto rate = all<T>(numbers.rate);
  const auto decay = all<T>(numbers.weight_decay);
  for_each_vector<T>(count, [&](auto load, auto store) HWY_ATTR {
    const auto parameter = load(from[0]);
    const auto grad = hn::MulAdd(decay, parameter, load(from[1]));
    store(hn::NegMulAdd(rate, grad, parameter), to[0]);
  });
}

template <typename T>
void momentum(const MomentumNumbers& numbers, const T* const* from, T* const* to, int64_t count) {
  const auto rate = all<T>(numbers.rate);
  const auto decay = all<T>(numbers.weight_decay);
  const auto kept = all<T>(numbers.momentum);
  const auto gain = all<T>(1 - numbers.dampening);
  for_each_vector<T>(count, [&](auto load, auto store) HWY_ATTR {
    const auto parameter = load(from[0]);
    const auto grad = hn::MulAdd(decay, parameter, load(from[1]));
    const auto velocity = hn::MulAdd(kept, load(from[2]), hn::Mul(gain, grad));
    const auto direction = numbers.nesterov ? hn::MulAdd(kept, velocity, grad) : velocity;
    store(hn::NegMulAdd(rate, direction, parameter), to[0]);
    store(velocity, to[1]);
  });
}

template <typename T>
void adam(const AdamNumbers& numbers, const T* const* from, T* const* to, int64_t count) {
  const double decay = numbers.weight_decay;
  const auto grad_decay = all<T>(numbers.decoupled ? 0 : decay);
  const auto shrinking = all<T>(numbers.decoupled ? 1 - numbers.rate * decay : 1);
  const auto gain1 = all<T>(numbers.gain1);
  const auto gain2 = all<T>(numbers.gain2);
  const auto kept2 = all<T>(1 - numbers.gain2);
  const auto size = all<T>(numbers.rate / numbers.correction1);
  const auto correction = all<T>(std::sqrt(numbers.correction2));
  const auto epsilon = all<T>(numbers.epsilon);
  for_each_vector<T>(count, [&](auto load, auto store) HWY_ATTR {
    const auto parameter = load(from[0]);
    const auto grad = hn::MulAdd(grad_decay, parameter, load(from[1]));
    const auto before = load(from[2]);
    const auto first = hn::MulAdd(gain1, hn::Sub(grad, before), before);
    const auto second = hn::MulAdd(gain2, hn::Mul(grad, grad), hn::Mul(kept2, load(from[3])));
    const auto divisor = hn::Add(hn::Div(hn::Sqrt(second), correction), epsilon);
    const auto change = hn::Mul(size, hn::Div(first, divisor));
    store(hn::Sub(hn::Mul(shrinking, parameter), change), to[0]);
    store(first, to[1]);
    store(second, to[2]);
  });
}

const VectorSteps* steps() {
  static constexpr VectorSteps all_steps = {sgd<float>,       sgd<double>, momentum<float>,
                                            momentum<double>, adam<float>, adam<double>};
  return &all_steps;
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(steps);
const VectorSteps& vector_steps() { return *HWY_DYNAMIC_DISPATCH(steps)(); }
}  // namespace cpu
#endif
