#include "simd/vector_lines.hpp"

#include "simd/reduce_functions.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_lines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/vector_mask-inl.hpp"
#include "simd/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

// Calls `body(i, load, store)` for each vector; the last, partial one loads and stores by a mask.
template <typename Body>
HWY_INLINE void for_each_vector(int64_t count, Body body) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  const auto load = [d](const float* p) HWY_ATTR { return hn::LoadU(d, p); };
  const auto store = [d](V v, float* p) HWY_ATTR { hn::StoreU(v, d, p); };
  for (; i + lanes <= count; i += lanes) body(i, load, store);
  if (i == count) return;
  const auto mask = hn::FirstN(d, static_cast<size_t>(count - i));
  body(
      i, [d, mask](const float* p) HWY_ATTR { return masked_load(mask, d, p); },
      [d, mask](V v, float* p) HWY_ATTR { masked_store(v, mask, d, p); });
}

// A sum kept in blocks of floats, each joined in double. Four of them take turns, so that no
// addition waits for the one before.
class BlockSum {
 public:
  HWY_ATTR BlockSum() : a_(hn::Zero(D())), b_(a_), c_(a_), d_(a_) {}

  HWY_INLINE void add(V x) {
    const V sum = hn::Add(a_, x);
    a_ = b_;
    b_ = c_;
    c_ = d_;
    d_ = sum;
    if (++vectors_ == 128) flush();
  }
  // Lanes from `valid` on do not count.
  HWY_INLINE void add_part(V x, int64_t valid) {
    add(hn::IfThenElseZero(hn::FirstN(D(), static_cast<size_t>(valid)), x));
  }
  HWY_INLINE double total() {
    flush();
    return total_;
  }

 private:
  HWY_ATTR void flush() {
    HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(hn::Add(hn::Add(a_, b_), hn::Add(c_, d_)), D(), lanes);
    for (size_t i = 0; i < hn::Lanes(D()); ++i) total_ += static_cast<double>(lanes[i]);
    a_ = b_ = c_ = d_ = hn::Zero(D());
    vectors_ = 0;
  }

  V a_, b_, c_, d_;
  int vectors_ = 0;
  double total_ = 0;
};

// The sum of `value(i, load)`, a vector of elements from i on.
template <typename Value>
HWY_INLINE double sum_of(int64_t count, Value value) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  BlockSum sum;
  for_each_vector(count, [&](int64_t i, auto load, auto) HWY_ATTR {
    if (count - i >= lanes) {
      sum.add(value(i, load));
    } else {
      sum.add_part(value(i, load), count - i);
    }
  });
  return sum.total();
}

HWY_INLINE void fill(float* y, int64_t count, float number) {
  for (int64_t i = 0; i < count; ++i) y[i] = number;
}

// Writes exp(x - largest) to `y` unless it is null; returns the sum.
HWY_INLINE double sum_of_powers(const float* x, float* y, int64_t count, float largest) {
  const V most = set(largest);
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  BlockSum sum;
  for_each_vector(count, [&](int64_t i, auto load, auto store) HWY_ATTR {
    const V power = exp_of_negative(hn::Sub(load(x + i), most));
    if (y != nullptr) store(power, y + i);
    if (count - i >= lanes) {
      sum.add(power);
    } else {
      sum.add_part(power, count - i);
    }
  });
  return sum.total();
}

void softmax(const float* x, float* y, int64_t count) {
  const auto largest = static_cast<float>(vector_reduce(ReduceKind::max).row(x, count));
  if (!std::isfinite(largest)) return fill(y, count, std::numeric_limits<float>::quiet_NaN());
  const V factor = set(static_cast<float>(1 / sum_of_powers(x, y, count, largest)));
  for_each_vector(count, [&](int64_t i, auto load, auto store)
                             HWY_ATTR { store(hn::Mul(load(y + i), factor), y + i); });
}

void log_softmax(const float* x, float* y, int64_t count) {
  const auto largest = static_cast<float>(vector_reduce(ReduceKind::max).row(x, count));
  if (!std::isfinite(largest)) return fill(y, count, std::numeric_limits<float>::quiet_NaN());
  const double sum = sum_of_powers(x, nullptr, count, largest);
  const V most = set(largest);
  const V logarithm = set(static_cast<float>(std::log(sum)));
  for_each_vector(count, [&](int64_t i, auto load, auto store) HWY_ATTR {
    store(hn::Sub(hn::Sub(load(x + i), most), logarithm), y + i);
  });
}

double powers(const float* x, int64_t count, float largest) {
  return sum_of_powers(x, nullptr, count, largest);
}

Distances distances(const float* x, int64_t count, float centre) {
  const V middle = set(centre);
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  BlockSum plain, squared;
  for_each_vector(count, [&](int64_t i, auto load, auto) HWY_ATTR {
    const V distance = hn::Sub(load(x + i), middle);
    if (count - i >= lanes) {
      plain.add(distance);
      squared.add(hn::Mul(distance, distance));
    } else {
      plain.add_part(distance, count - i);
      squared.add_part(hn::Mul(distance, distance), count - i);
    }
  });
  return {plain.total(), squared.total()};
}

void normalize(const float* x, float* y, int64_t count, float centre, float factor, float shift,
               const float* scale, const float* bias) {
  const V middle = set(centre);
  const V times = set(factor);
  const V plus = set(shift);
  for_each_vector(count, [&](int64_t i, auto load, auto store) HWY_ATTR {
    V number = hn::MulAdd(hn::Sub(load(x + i), middle), times, plus);
    if (scale != nullptr) number = hn::Mul(number, load(scale + i));
    if (bias != nullptr) number = hn::Add(number, load(bias + i));
    store(number, y + i);
  });
}

void softmax_gradient(const float* gradient, const float* y, float* to, int64_t count) {
  const V total = set(static_cast<float>(sum_of(count, [&](int64_t i, auto load) HWY_ATTR {
    return hn::Mul(load(gradient + i), load(y + i));
  })));
  for_each_vector(count, [&](int64_t i, auto load, auto store) HWY_ATTR {
    store(hn::Mul(load(y + i), hn::Sub(load(gradient + i), total)), to + i);
  });
}

void log_softmax_gradient(const float* gradient, const float* y, float* to, int64_t count) {
  const V total = set(static_cast<float>(
      sum_of(count, [&](int64_t i, auto load) HWY_ATTR { return load(gradient + i); })));
  for_each_vector(count, [&](int64_t i, auto load, auto store) HWY_ATTR {
    store(hn::NegMulAdd(exp(load(y + i)), total, load(gradient + i)), to + i);
  });
}

LayerSums layer_sums(const LayerLine<float>& line, float* of_scale, float* of_bias) {
  const V middle = set(line.centre);
  const V times = set(line.factor);
  const V plus = set(line.shift);
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  BlockSum scaled, along;
  for_each_vector(line.count, [&](int64_t i, auto load, auto store) HWY_ATTR {
    const V grad = load(line.gradient + i);
    const V standard = hn::MulAdd(hn::Sub(load(line.x + i), middle), times, plus);
    if (of_scale != nullptr) {
      store(hn::MulAdd(grad, standard, load(of_scale + i)), of_scale + i);
    }
    if (of_bias != nullptr) store(hn::Add(grad, load(of_bias + i)), of_bias + i);
    const V product = hn::Mul(grad, load(line.scale + i));
    if (line.count - i >= lanes) {
      scaled.add(product);
      along.add(hn::Mul(product, standard));
    } else {
      scaled.add_part(product, line.count - i);
      along.add_part(hn::Mul(product, standard), line.count - i);
    }
  });
  return {scaled.total(), along.total()};
}

void layer_gradient(const LayerLine<float>& line, float mean, float along, float* to) {
  const V middle = set(line.centre);
  const V times = set(line.factor);
  const V plus = set(line.shift);
  const V level = set(mean);
  const V slant = set(along);
  for_each_vector(line.count, [&](int64_t i, auto load, auto store) HWY_ATTR {
    const V standard = hn::MulAdd(hn::Sub(load(line.x + i), middle), times, plus);
    const V apart = hn::MulSub(load(line.gradient + i), load(line.scale + i), level);
    store(hn::Mul(times, hn::NegMulAdd(standard, slant, apart)), to + i);
  });
}

ChannelSums channel_sums(const float* gradient, const float* x, int64_t count, float centre) {
  const V middle = set(centre);
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  BlockSum plain, squared, gradients, along;
  for_each_vector(count, [&](int64_t i, auto load, auto) HWY_ATTR {
    const V grad = load(gradient + i);
    const V distance = hn::Sub(load(x + i), middle);
    const auto add = [&](BlockSum& sum, V number) HWY_ATTR {
      count - i >= lanes ? sum.add(number) : sum.add_part(number, count - i);
    };
    add(plain, distance);
    add(squared, hn::Mul(distance, distance));
    add(gradients, grad);
    add(along, hn::Mul(grad, distance));
  });
  return {plain.total(), squared.total(), gradients.total(), along.total()};
}

void channel_gradient(const float* gradient, const float* x, int64_t count,
                      const ChannelFactors<float>& factors, float* to) {
  const V middle = set(factors.centre);
  const V times = set(factors.factor);
  const V plus = set(factors.shift);
  const V scale = set(factors.scale);
  const V level = set(factors.mean);
  const V slant = set(factors.along);
  for_each_vector(count, [&](int64_t i, auto load, auto store) HWY_ATTR {
    const V standard = hn::MulAdd(hn::Sub(load(x + i), middle), times, plus);
    const V apart = hn::MulSub(load(gradient + i), scale, level);
    store(hn::Mul(times, hn::NegMulAdd(standard, slant, apart)), to + i);
  });
}

const VectorLines* find_lines() {
  static const VectorLines lines = {softmax,      log_softmax,     powers,
                                    distances,    normalize,       softmax_gradient,
                                    layer_sums,   layer_gradient,  log_softmax_gradient,
                                    channel_sums, channel_gradient};
  return &lines;
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_lines);
const VectorLines& vector_lines() {
  static const VectorLines& lines = *HWY_DYNAMIC_DISPATCH(find_lines)();
  return lines;
}
}  // namespace cpu
#endif
