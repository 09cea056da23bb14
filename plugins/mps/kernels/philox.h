// Philox4x32-10 (Salmon and others, 2011): random numbers as a function of a key and a counter, so
// that any of them can be had by itself.
#pragma once

#include <metal_stdlib>
using namespace metal;

struct PhiloxBlock {
  uint words[4];
};

// `counter` is the lowest word of four; the others are 0.
inline PhiloxBlock philox(uint counter, uint key_low, uint key_high) {
  uint x0 = counter, x1 = 0, x2 = 0, x3 = 0;
  for (uint round = 0; round < 10; ++round) {
    const uint low = 0xD2511F53u * x0, high = mulhi(0xD2511F53u, x0);
    const uint other_low = 0xCD9E8D57u * x2, other_high = mulhi(0xCD9E8D57u, x2);
    x0 = other_high ^ x1 ^ key_low;
    x1 = other_low;
    x2 = high ^ x3 ^ key_high;
    x3 = low;
    key_low += 0x9E3779B9u;
    key_high += 0xBB67AE85u;
  }
  return {{x0, x1, x2, x3}};
}

// From [0, 1), a multiple of 2^-24.
inline float uniform_float(uint bits) { return float(bits >> 8) * 5.9604644775390625e-8f; }
