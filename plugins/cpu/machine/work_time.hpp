// How long work takes one thread, so that kernels agree on what is worth the team. Orders of
// magnitude, for a processor of today.
#pragma once

#include <cstdint>

namespace cpu {

struct Work {
  int64_t multiply_adds;
  int64_t bytes;  // read and written
  int64_t multiply_adds_per_nanosecond = 48;

  int64_t nanoseconds() const {
    constexpr int64_t bytes_per_nanosecond = 16;
    return multiply_adds / multiply_adds_per_nanosecond + bytes / bytes_per_nanosecond;
  }

  // A region of many threads takes about 5 microseconds to open and close.
  bool is_worth_the_team() const { return nanoseconds() > 16'000; }
};

}  // namespace cpu
