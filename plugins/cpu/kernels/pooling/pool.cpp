#include "kernels/pooling/pool.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "parallel.hpp"
#include "scratch.hpp"

namespace cpu {
namespace {

struct Place {
  Spatial at;
  std::array<Window::Taps, spatial_rank> taps;
};

// Pools the places of one image, line by line.
template <typename T>
class Pool {
 public:
  Pool(const PoolShape& shape, const PoolMeaning& meaning, const Images<const T>& x)
      : window_(shape.window),
        shape_(shape),
        meaning_(meaning),
        x_(x),
        line_(pool_line<T>(meaning.kind)),
        inner_begin_(inner_places(0)),
        inner_end_(inner_places(1)) {}

  // All channels of a place side by side.
  void place_of_channels(const T* image, int64_t place, int64_t* taps, T* y) const {
    Place here = row_at(place / window_.output[2]);
    here.at[2] = place % window_.output[2];
    here.taps[2] = window_.taps(2, here.at[2]);
    const int64_t count = offsets_of(here, taps);
    line_(image, 1, taps, count, y, shape_.channels, number_for(here));
  }

  // A row of a channel: places whose windows lie within the row's ends go together.
  void row_of_channel(const T* channel, int64_t row, int64_t* taps, T* y) const {
    Place here = row_at(row);
    const auto one_by_one = [&](int64_t begin, int64_t end) {
      for (here.at[2] = begin; here.at[2] < end; ++here.at[2]) {
        here.taps[2] = window_.taps(2, here.at[2]);
        const int64_t count = offsets_of(here, taps);
        line_(channel, 0, taps, count, y + here.at[2], 1, number_for(here));
      }
    };
    one_by_one(0, inner_begin_);
    if (inner_begin_ < inner_end_) {
      here.at[2] = inner_begin_;
      here.taps[2] = {0, window_.kernel[2]};
      const int64_t count = offsets_of(here, taps);
      line_(channel, window_.stride[2] * x_.steps[4], taps, count, y + inner_begin_,
            inner_end_ - inner_begin_, number_for(here));
    }
    one_by_one(std::max(inner_begin_, inner_end_), window_.output[2]);
  }

  int64_t tap_count() const { return volume(window_.kernel); }

 private:
  Place row_at(int64_t row) const {
    Place here;
    here.at[0] = row / window_.output[1];
    here.at[1] = row % window_.output[1];
    for (size_t axis = 0; axis < 2; ++axis) here.taps[axis] = window_.taps(axis, here.at[axis]);
    return here;
  }

  // The places of a row whose windows hang over neither end: the first (0), or one behind the last.
  int64_t inner_places(int side) const {
    const int64_t begin = (window_.pad[2] + window_.stride[2] - 1) / window_.stride[2];
    if (side == 0) return std::min(begin, window_.output[2]);
    const int64_t room = window_.input[2] + window_.pad[2] - window_.span(2);
    return room < 0 ? 0 : std::min(room / window_.stride[2] + 1, window_.output[2]);
  }

  int64_t offsets_of(const Place& here, int64_t* taps) const {
    int64_t count = 0;
    for (int64_t d = here.taps[0].begin; d < here.taps[0].end; ++d) {
      const int64_t plane = (window_.start(0, here.at[0]) + d * window_.dilation[0]) * x_.steps[2];
      for (int64_t h = here.taps[1].begin; h < here.taps[1].end; ++h) {
        const int64_t row = (window_.start(1, here.at[1]) + h * window_.dilation[1]) * x_.steps[3];
        for (int64_t w = here.taps[2].begin; w < here.taps[2].end; ++w) {
          const int64_t column = window_.start(2, here.at[2]) + w * window_.dilation[2];
          taps[count++] = plane + row + column * x_.steps[4];
        }
      }
    }
    return count;
  }

  T number_for(const Place& here) const {
    if (!meaning_.average) return static_cast<T>(meaning_.exponent);
    int64_t joined = 1;
    for (size_t axis = 0; axis < spatial_rank; ++axis) {
      joined *= meaning_.counts_padding ? window_.padded_taps(axis, here.at[axis]).count()
                                        : here.taps[axis].count();
    }
    return joined == 0 ? T{0} : static_cast<T>(1 / static_cast<double>(joined));
  }

  const Window& window_;
  const PoolShape& shape_;
  const PoolMeaning& meaning_;
  const Images<const T>& x_;
  const PoolLine<T> line_;
  const int64_t inner_begin_, inner_end_;
};

int64_t grain_for(int64_t elements) {
  return std::max<int64_t>(1, 65536 / std::max<int64_t>(1, elements));
}

}  // namespace

template <typename T>
void pool(const PoolShape& shape, const PoolMeaning& meaning, const Images<const T>& x, bool last,
          T* y) {
  const Pool<T> pooling(shape, meaning, x);
  const int64_t places = volume(shape.window.output);
  const int64_t taps = pooling.tap_count();
  if (last) {
    const int64_t grain = grain_for(shape.channels * taps);
    parallel_for(shape.batch * places, grain, [&](int64_t begin, int64_t end) {
      const Scratch<int64_t> offsets(taps);
      for (int64_t i = begin; i < end; ++i) {
        pooling.place_of_channels(x.data + i / places * x.steps[0], i % places, offsets.data(),
                                  y + i * shape.channels);
      }
    });
    return;
  }
  const int64_t width = shape.window.output[2];
  const int64_t rows = width == 0 ? 0 : places / width;
  parallel_for(shape.batch * shape.channels * rows, grain_for(width * taps),
               [&](int64_t begin, int64_t end) {
                 const Scratch<int64_t> offsets(taps);
                 for (int64_t i = begin; i < end; ++i) {
                   const int64_t channel = i / rows;
                   const T* from = x.data + channel / shape.channels * x.steps[0] +
                                   channel % shape.channels * x.steps[1];
                   pooling.row_of_channel(from, i % rows, offsets.data(), y + i * width);
                 }
               });
}

namespace {

// Whether x takes the place of what is the largest so far: a NaN does, and keeps it.
template <typename T>
bool is_better(T x, T best) {
  if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
    return !(x <= best) & (best == best);
  } else {
    return x > best;
  }
}

template <typename T>
T nothing() {
  if constexpr (std::numeric_limits<T>::has_infinity) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::lowest();
  }
}

// `a` or `b` by their bits: which one it is follows no pattern, so that a branch would be costly.
template <typename T>
T picked(bool takes_a, T a, T b) {
  using Bits = std::conditional_t<
      sizeof(T) == 8, uint64_t,
      std::conditional_t<sizeof(T) == 4, uint32_t, std::make_unsigned_t<signed char>>>;
  const auto mask = static_cast<Bits>(-static_cast<int64_t>(takes_a));
  const auto kept = static_cast<Bits>(std::bit_cast<Bits>(b) & static_cast<Bits>(~mask));
  return std::bit_cast<T>(static_cast<Bits>((std::bit_cast<Bits>(a) & mask) | kept));
}

// One element of the kernel meets places side by side: x[i * x_step], whose index is
// first + i * step. A place without an index (-1) takes it, and one that has less.
template <typename T, typename Index>
void meet_line(const T* x, int64_t x_step, Index first, Index step, int64_t count, T* largest,
               Index* indices) {
  if constexpr (std::is_same_v<T, float> && std::is_same_v<Index, int32_t>) {
    static const LargestLine line = vector_largest_line();
    line(x, x_step, first, step, count, largest, indices);
  } else {
    for (int64_t i = 0; i < count; ++i) {
      const bool better = is_better(x[i * x_step], largest[i]);
      const bool takes = (indices[i] < 0) | better;
      largest[i] = picked(takes, x[i * x_step], largest[i]);
      indices[i] = picked(takes, static_cast<Index>(first + i * step), indices[i]);
    }
  }
}

// The largest elements of windows and where they lie in their channel, a row of places at a time:
// each element of the kernel meets all places that see it.
template <typename T, typename Index>
class LargestOfRows {
 public:
  // `steps` count a place's index, axis by axis.
  LargestOfRows(const Window& window, const Images<const T>& x, const Spatial& steps)
      : window_(window), x_(x), steps_(steps) {
    for (int64_t tap = 0; tap < window.kernel[2]; ++tap) places_.push_back(window.places(2, tap));
  }

  // Of row `row` of a channel; -1 where nothing is seen.
  void find(const T* channel, int64_t row, T* largest, Index* indices) const {
    std::fill_n(largest, window_.output[2], nothing<T>());
    std::fill_n(indices, window_.output[2], Index{-1});
    const int64_t depth = row / window_.output[1], height = row % window_.output[1];
    const Window::Taps planes = window_.taps(0, depth), rows = window_.taps(1, height);
    for (int64_t kd = planes.begin; kd < planes.end; ++kd) {
      const int64_t d = window_.start(0, depth) + kd * window_.dilation[0];
      for (int64_t kh = rows.begin; kh < rows.end; ++kh) {
        const int64_t h = window_.start(1, height) + kh * window_.dilation[1];
        meet(channel + d * x_.steps[2] + h * x_.steps[3], d * steps_[0] + h * steps_[1], largest,
             indices);
      }
    }
  }

 private:
  // A row of the input.
  void meet(const T* line, int64_t first, T* largest, Index* indices) const {
    for (int64_t tap = 0; tap < window_.kernel[2]; ++tap) {
      const auto [begin, end] = places_[static_cast<size_t>(tap)];
      if (begin >= end) continue;
      const int64_t column = window_.start(2, begin) + tap * window_.dilation[2];
      meet_line(line + column * x_.steps[4], window_.stride[2] * x_.steps[4],
                static_cast<Index>(first + column * steps_[2]),
                static_cast<Index>(window_.stride[2] * steps_[2]), end - begin, largest + begin,
                indices + begin);
    }
  }

  const Window& window_;
  const Images<const T>& x_;
  const Spatial steps_;
  std::vector<Window::Places> places_;
};

// `Index` holds the number of elements of a channel.
template <typename Index, typename T>
void find_largest(const PoolShape& shape, const Images<const T>& x, const Spatial& steps, T* y,
                  int64_t* indices) {
  const Window& window = shape.window;
  const LargestOfRows<T, Index> rows_of(window, x, steps);
  const int64_t size = volume(window.input), width = window.output[2];
  const int64_t rows = window.output[0] * window.output[1];
  parallel_for(shape.batch * shape.channels * rows, grain_for(width * volume(window.kernel)),
               [&](int64_t begin, int64_t end) {
                 const Scratch<T> largest(width);
                 const Scratch<Index> found(width);
                 for (int64_t i = begin; i < end; ++i) {
                   const int64_t channel = i / rows;
                   const T* from = x.data + channel / shape.channels * x.steps[0] +
                                   channel % shape.channels * x.steps[1];
                   rows_of.find(from, i % rows, largest.data(), found.data());
                   for (int64_t p = 0; p < width; ++p) {
                     const int64_t index = found.data()[p];
                     y[i * width + p] = largest.data()[p];
                     indices[i * width + p] = index < 0 ? -1 : channel * size + index;
                   }
                 }
               });
}

}  // namespace

template <typename T>
void pool_with_indices(const PoolShape& shape, const Images<const T>& x, bool columns_first, T* y,
                       int64_t* indices) {
  const Spatial& in = shape.window.input;
  const Spatial steps =
      columns_first ? Spatial{1, in[0], in[0] * in[1]} : Spatial{in[1] * in[2], in[2], 1};
  if (std::is_same_v<T, float> && volume(in) <= std::numeric_limits<int32_t>::max()) {
    find_largest<int32_t>(shape, x, steps, y, indices);
  } else {
    find_largest<int64_t>(shape, x, steps, y, indices);
  }
}

#define CPU_POOL_FOR(T)                                                                       \
  template void pool(const PoolShape&, const PoolMeaning&, const Images<const T>&, bool, T*); \
  template void pool_with_indices(const PoolShape&, const Images<const T>&, bool, T*, int64_t*);
CPU_POOL_FOR(float)
CPU_POOL_FOR(double)
CPU_POOL_FOR(int8_t)
CPU_POOL_FOR(uint8_t)
#undef CPU_POOL_FOR

}  // namespace cpu
