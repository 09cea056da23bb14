#pragma once

namespace cpu {

// The derivative of the logarithm of the gamma function. At zeros it is infinite with the other
// sign, at negative integers a NaN.
double digamma(double x);

}  // namespace cpu
