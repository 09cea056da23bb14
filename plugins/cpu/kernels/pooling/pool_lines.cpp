#include "kernels/pooling/pool_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cpu {
namespace {

template <typename T>
T least() {
  if constexpr (std::numeric_limits<T>::has_infinity) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::lowest();
  }
}

template <typename T>
T larger(T so_far, T x) {
  if constexpr (std::numeric_limits<T>::has_infinity) {
    return x > so_far || std::isnan(x) ? x : so_far;
  } else {
    return x > so_far ? x : so_far;
  }
}

template <PoolKind kind, typename T>
T join(T so_far, T x, T number) {
  if constexpr (kind == PoolKind::max) {
    return larger(so_far, x);
  } else if constexpr (kind == PoolKind::sum) {
    return so_far + x;
  } else if constexpr (kind == PoolKind::sum_of_magnitudes) {
    return so_far + std::abs(x);
  } else if constexpr (kind == PoolKind::root_of_squares) {
    return so_far + x * x;
  } else {
    return so_far + std::pow(std::abs(x), number);
  }
}

template <PoolKind kind, typename T>
T finish(T joined, T number) {
  if constexpr (kind == PoolKind::sum) return joined * number;
  if constexpr (kind == PoolKind::root_of_squares) return std::sqrt(joined);
  if constexpr (kind == PoolKind::power) return std::pow(joined, 1 / number);
  return joined;
}

// A block of positions at once, so that the taps are the outer loop.
template <PoolKind kind, typename T>
void line(const T* x, int64_t x_step, const int64_t* taps, int64_t tap_count, T* y, int64_t count,
          T number) {
  constexpr int64_t block = 64;
  std::array<T, block> joined;
  for (int64_t done = 0; done < count; done += block) {
    const int64_t some = std::min(block, count - done);
    std::fill_n(joined.begin(), some, kind == PoolKind::max ? least<T>() : T{0});
    for (int64_t t = 0; t < tap_count; ++t) {
      const T* from = x + done * x_step + taps[t];
      for (int64_t i = 0; i < some; ++i) {
        joined[i] = join<kind>(joined[i], from[i * x_step], number);
      }
    }
    for (int64_t i = 0; i < some; ++i) y[done + i] = finish<kind>(joined[i], number);
  }
}

template <typename T>
PoolLine<T> real_line(PoolKind kind) {
  switch (kind) {
    case PoolKind::max: return line<PoolKind::max, T>;
    case PoolKind::sum: return line<PoolKind::sum, T>;
    case PoolKind::sum_of_magnitudes: return line<PoolKind::sum_of_magnitudes, T>;
    case PoolKind::root_of_squares: return line<PoolKind::root_of_squares, T>;
    default: return line<PoolKind::power, T>;
  }
}

}  // namespace

template <>
PoolLine<float> pool_line<float>(PoolKind kind) {
  return kind == PoolKind::power ? line<PoolKind::power, float> : vector_pool_line(kind);
}
template <>
PoolLine<double> pool_line<double>(PoolKind kind) {
  return real_line<double>(kind);
}
template <>
PoolLine<int8_t> pool_line<int8_t>(PoolKind) {
  return line<PoolKind::max, int8_t>;
}
template <>
PoolLine<uint8_t> pool_line<uint8_t>(PoolKind) {
  return line<PoolKind::max, uint8_t>;
}

}  // namespace cpu
