#include "kernels/pooling/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

template <typename T>
bool is_better(T x, T best) {
  if constexpr (std::numeric_limits<T>::has_infinity) {
    return x > best || (std::isnan(x) && !std::isnan(best));
  } else {
    return x > best;
  }
}

// The first of the largest elements of a window: its place in the input, [d, h, w].
template <typename T>
Spatial largest_of(const Window& window, const Images<const T>& x, const T* channel,
                   const Spatial& place, T& best) {
  Spatial found = {-1, 0, 0};
  std::array<Window::Taps, spatial_rank> taps;
  for (size_t axis = 0; axis < spatial_rank; ++axis) taps[axis] = window.taps(axis, place[axis]);
  for (int64_t kd = taps[0].begin; kd < taps[0].end; ++kd) {
    const int64_t d = window.start(0, place[0]) + kd * window.dilation[0];
    for (int64_t kh = taps[1].begin; kh < taps[1].end; ++kh) {
      const int64_t h = window.start(1, place[1]) + kh * window.dilation[1];
      for (int64_t kw = taps[2].begin; kw < taps[2].end; ++kw) {
        const int64_t w = window.start(2, place[2]) + kw * window.dilation[2];
        const T element = channel[d * x.steps[2] + h * x.steps[3] + w * x.steps[4]];
        if (found[0] >= 0 && !is_better(element, best)) continue;
        best = element;
        found = {d, h, w};
      }
    }
  }
  return found;
}

template <typename T>
T nothing() {
  if constexpr (std::numeric_limits<T>::has_infinity) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::lowest();
  }
}

}  // namespace

template <typename T>
void pool_with_indices(const PoolShape& shape, const Images<const T>& x, bool columns_first, T* y,
                       int64_t* indices) {
  const Window& window = shape.window;
  const int64_t places = volume(window.output);
  const int64_t size = volume(window.input);
  const int64_t grain = grain_for(places * volume(window.kernel));
  parallel_for(shape.batch * shape.channels, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* channel = x.data + i / shape.channels * x.steps[0] + i % shape.channels * x.steps[1];
      for (int64_t p = 0; p < places; ++p) {
        const int64_t row = p / window.output[2];
        const Spatial place = {row / window.output[1], row % window.output[1],
                               p % window.output[2]};
        T best = nothing<T>();
        const Spatial at = largest_of(window, x, channel, place, best);
        y[i * places + p] = best;
        const int64_t index = columns_first
                                  ? (at[2] * window.input[1] + at[1]) * window.input[0] + at[0]
                                  : (at[0] * window.input[1] + at[1]) * window.input[2] + at[2];
        indices[i * places + p] = at[0] < 0 ? -1 : i * size + index;
      }
    }
  });
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
