// The logarithm of the gamma function, and its derivative.
#pragma once

#include <metal_stdlib>
using namespace metal;

// The logarithm of gamma(2 + x) for x from -1/2 to 1/2.
inline float log_of_gamma_beside_two(float x) {
  float sum = 2.6095535e-5f;
  sum = sum * x - 5.2744126e-5f;
  sum = sum * x + 9.7062752e-5f;
  sum = sum * x - 2.2089676e-4f;
  sum = sum * x + 5.1014266e-4f;
  sum = sum * x - 1.1930488e-3f;
  sum = sum * x + 2.8904656e-3f;
  sum = sum * x - 7.3855338e-3f;
  sum = sum * x + 2.0580810e-2f;
  sum = sum * x - 6.7352301e-2f;
  sum = sum * x + 3.2246703e-1f;
  sum = sum * x + 4.2278434e-1f;
  return sum * x;
}

// For x above 0: led to numbers beside 2 by factors, or by Stirling's series.
inline float log_of_positive_gamma(float x) {
  if (x < 0.5f) return log_of_gamma_beside_two(x) - log(x * (x + 1.0f));
  if (x < 1.5f) return log_of_gamma_beside_two(x - 1.0f) - log(x);
  if (x < 2.5f) return log_of_gamma_beside_two(x - 2.0f);
  if (x < 3.5f) return log_of_gamma_beside_two(x - 3.0f) + log(x - 1.0f);
  if (x < 4.5f) return log_of_gamma_beside_two(x - 4.0f) + log((x - 1.0f) * (x - 2.0f));
  if (isinf(x)) return x;
  const float r = 1.0f / x, t = r * r;
  const float series =
      r * (8.3333333e-2f - t * (2.7777778e-3f - t * (7.9365079e-4f - t * 5.9e-4f)));
  return (x - 0.5f) * log(x) - x + (9.1893853e-1f + series);
}

// Below 0 by pi / (|x sin(pi x)| gamma(|x|)).
inline float log_of_gamma(float x) {
  if (isnan(x)) return x;
  const float size = abs(x);
  if (x == 0 || isinf(x)) return INFINITY;
  if (x > 0) return log_of_positive_gamma(x);
  const float sine = abs(sin(3.14159265f * (size - rint(size))));
  if (sine == 0) return INFINITY;
  return log(3.14159265f / size) - log(sine) - log_of_positive_gamma(size);
}

// For x above 0: six steps up, where x is below 6, then a series.
inline float digamma_of_positive(float x) {
  float steps = 0;
  if (x < 6.0f) {
    for (int k = 5; k >= 0; --k) steps += 1.0f / (x + float(k));
    x += 6.0f;
  }
  const float r = 1.0f / x, t = r * r;
  const float series =
      t * (8.3333333e-2f - t * (8.3333333e-3f - t * (3.9682540e-3f - t * 4.1e-3f)));
  return log(x) - 0.5f * r - series - steps;
}

// Below 0 by that of 1 - x, minus pi / tan(pi x).
inline float digamma(float x) {
  if (x == 0) return copysign(INFINITY, -x);
  if (!(x < 0)) return digamma_of_positive(x);
  const float beside = x - rint(x);
  if (beside == 0) return NAN;
  return digamma_of_positive(1.0f - x) - 3.14159265f / tan(3.14159265f * beside);
}
