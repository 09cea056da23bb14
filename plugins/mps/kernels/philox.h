// Philox4x32-10 (Salmon and others, 2011): random numbers as a function of a key and a counter, so
// that any of them can be had by itself.
#pragma once

#include <metal_stdlib>
using namespace metal;

struct PhiloxBlock {
  uint words[4];
};

// `counter` is the lower two words of four; the others are 0.
inline PhiloxBlock philox(ulong counter, ulong key) {
  uint x0 = uint(counter), x1 = uint(counter >> 32), x2 = 0, x3 = 0;
  uint key_low = uint(key), key_high = uint(key >> 32);
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
