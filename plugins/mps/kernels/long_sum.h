// Sums of as many numbers as a caller likes. Beside a sum of floats stands what its last rounding
// lost, found exactly (the two-sum of Knuth), for the next step to add; integers lose nothing,
// and neither do infinite sums.
#pragma once

#include <metal_stdlib>
using namespace metal;

template <typename W>
struct LongSum {
  W sum;
  W lost;
};

inline LongSum<float> plus(LongSum<float> to, float x) {
  const float term = x + to.lost;
  const float sum = to.sum + term;
  const float added = sum - to.sum;
  const float lost = (to.sum - (sum - added)) + (term - added);
  return {sum, isfinite(sum) ? lost : 0.0f};
}
inline LongSum<float> plus(LongSum<float> to, LongSum<float> other) {
  return plus(plus(to, other.lost), other.sum);
}
inline LongSum<long> plus(LongSum<long> to, long x) { return {to.sum + x, 0}; }
inline LongSum<long> plus(LongSum<long> to, LongSum<long> other) { return {to.sum + other.sum, 0}; }

inline float total(LongSum<float> x) { return x.sum + x.lost; }
inline long total(LongSum<long> x) { return x.sum; }
