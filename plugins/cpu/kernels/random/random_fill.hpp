// Tensors of random numbers: element i, in row-major order, is a function of a stream and i alone.
//
//   uniform  float64: both halves of the Philox block counter + i / 2, the first half for even i;
//            other types: number i % 4 of block counter + i / 4; times (high - low) plus low, in
//            float32
//   normal   by Box and Muller, the numbers of block counter + i / 2 as two float64 uniforms u and
//            v: sqrt(-2 log(1 - u)) times cos(2 pi v) for even i and sin(2 pi v) for odd i
//   integer  the 64 bits of a float64 uniform, times (high - low), without their lower 64 bits,
//            plus low
#pragma once

#include <cstdint>

namespace cpu {

struct PhiloxStream {
  uint64_t key;
  uint64_t counter = 0;  // of the first block; wraps
};

// Fills elements [begin, end); any cut gives the same numbers. T is float or double.
template <typename T>
void fill_uniform(T* numbers, int64_t begin, int64_t end, PhiloxStream stream, double low,
                  double high);
template <typename T>
void fill_normal(T* numbers, int64_t begin, int64_t end, PhiloxStream stream, double mean,
                 double scale);
// In [low, high), which is not empty.
void fill_integers(int64_t* numbers, int64_t begin, int64_t end, PhiloxStream stream, int64_t low,
                   int64_t high);

// Element i of a float64 uniform from [0, 1).
double uniform_at(int64_t i, PhiloxStream stream);

}  // namespace cpu
