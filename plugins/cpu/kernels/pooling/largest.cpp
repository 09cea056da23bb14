// MaxPool that tells where the largest elements lie.
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernels/pooling/pool.hpp"
#include "kernels/pooling/positions.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"

namespace cpu {
namespace {

// Whether x replaces what is the largest so far: a NaN does, and keeps it.
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

// ---- contiguous: a row of positions of one channel at a time

// One element of the kernel meets positions side by side: x[i * x_step], whose index is
// first + i * step. A position without an index (-1) takes it, and one that has less.
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

// Each element of the kernel meets all positions of a row that see it.
template <typename T, typename Index>
class LargestOfRows {
 public:
  // `steps` count a position's index, axis by axis.
  LargestOfRows(const Window& window, const Images<const T>& x, const Spatial& steps)
      : window_(window),
        x_(x),
        steps_(steps),
        first_tap_(window.taps(2, window.output[2] - 1).begin) {
    // Windows that start further on see earlier taps.
    const int64_t end = window.taps(2, 0).end;
    for (int64_t tap = first_tap_; tap < end; ++tap) positions_.push_back(window.positions(2, tap));
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
    for (size_t i = 0; i < positions_.size(); ++i) {
      const int64_t tap = first_tap_ + static_cast<int64_t>(i);
      const auto [begin, end] = positions_[i];
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
  const int64_t first_tap_;                   // of the last axis, that any position sees
  std::vector<Window::Positions> positions_;  // from it on
};

// `Index` holds the number of elements of a channel.
template <typename Index, typename T>
void find_in_rows(const PoolShape& shape, const Images<const T>& x, const Spatial& steps, T* y,
                  int64_t* indices) {
  const Window& window = shape.window;
  const LargestOfRows<T, Index> rows_of(window, x, steps);
  const int64_t size = volume(window.input), width = window.output[2];
  const int64_t rows = window.output[0] * window.output[1];
  parallel_for(shape.batch * shape.channels * rows, pool_grain(width * window.most_taps()),
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

// ---- channels-last: all channels of a position at a time

template <typename T>
void find_of_channels(const ChannelPositions<T>& positions, T* largest, int64_t* indices) {
  for (int64_t p = 0; p < positions.count; ++p) {
    const T* x = positions.x + p * positions.x_step;
    std::copy_n(x + positions.taps[0], positions.channels, largest);
    std::fill_n(indices, positions.channels, positions.indices[0]);
    for (int64_t t = 1; t < positions.tap_count; ++t) {
      const T* now = x + positions.taps[t];
      for (int64_t c = 0; c < positions.channels; ++c) {
        const bool takes = is_better(now[c], largest[c]);
        largest[c] = picked(takes, now[c], largest[c]);
        indices[c] = picked(takes, positions.indices[t], indices[c]);
      }
    }
    for (int64_t c = 0; c < positions.channels; ++c) {
      indices[c] += positions.firsts[c] + p * positions.index_step;
    }
    largest += positions.channels;
    indices += positions.channels;
  }
}

template <typename T>
class LargestOfImages {
 public:
  LargestOfImages(const PoolShape& shape, const Images<const T>& x, const Spatial& steps)
      : shape_(shape), x_(x), steps_(steps), positions_(shape.window) {
    if constexpr (std::is_same_v<T, float>) {
      if (volume(shape.window.input) <= std::numeric_limits<int32_t>::max()) {
        find_ = vector_largest_of_channels();
      }
    }
  }

  // Of positions [begin, end), counted through all images.
  void find(int64_t begin, int64_t end, T* y, int64_t* indices) const {
    const int64_t channels = shape_.channels;
    const Scratch<int64_t> firsts(channels + more_firsts);
    const Scratch<int64_t> taps(shape_.window.most_taps());
    const Scratch<int64_t> positions(shape_.window.most_taps());
    std::fill_n(firsts.data() + channels, more_firsts, int64_t{0});
    int64_t known = -1;  // the image that `firsts` is of
    y += begin * channels;
    indices += begin * channels;
    each_row_part(shape_.window, begin, end,
                  [&](int64_t image, int64_t row, int64_t first, int64_t behind) {
                    if (image != known) number_channels(image, firsts.data());
                    known = image;
                    ChannelPositions<T> part{};
                    part.x = x_.data + image * x_.steps[0];
                    part.firsts = firsts.data();
                    part.taps = taps.data();
                    part.indices = positions.data();
                    find_row(part, row, first, behind, taps.data(), positions.data(), y, indices);
                    y += (behind - first) * channels;
                    indices += (behind - first) * channels;
                  });
  }

 private:
  void number_channels(int64_t image, int64_t* firsts) const {
    const int64_t size = volume(shape_.window.input);
    for (int64_t c = 0; c < shape_.channels; ++c) firsts[c] = (image * shape_.channels + c) * size;
  }

  void find_row(ChannelPositions<T>& part, int64_t row, int64_t begin, int64_t end, int64_t* taps,
                int64_t* indices_of_taps, T* y, int64_t* indices) const {
    part.channels = shape_.channels;
    part.x_step = shape_.window.stride[2] * x_.steps[4];
    part.index_step = shape_.window.stride[2] * steps_[2];
    positions_.each_piece(row, begin, end, [&](const Position& here, int64_t count) {
      part.count = count;
      part.tap_count = positions_.taps_of(here, {x_.steps[2], x_.steps[3], x_.steps[4]}, taps);
      positions_.taps_of(here, steps_, indices_of_taps);
      const int64_t elements = count * shape_.channels;
      if (part.tap_count == 0) {
        std::fill_n(y, elements, nothing<T>());
        std::fill_n(indices, elements, int64_t{-1});
      } else {
        find_(part, y, indices);
      }
      y += elements;
      indices += elements;
    });
  }

  const PoolShape& shape_;
  const Images<const T>& x_;
  const Spatial steps_;
  const Positions positions_;
  void (*find_)(const ChannelPositions<T>&, T*, int64_t*) = find_of_channels<T>;
};

}  // namespace

template <typename T>
void pool_with_indices(const PoolShape& shape, const Images<const T>& x, bool last,
                       bool columns_first, T* y, int64_t* indices) {
  const Spatial& in = shape.window.input;
  const Spatial steps =
      columns_first ? Spatial{1, in[0], in[0] * in[1]} : Spatial{in[1] * in[2], in[2], 1};
  if (last) {
    const LargestOfImages<T> images(shape, x, steps);
    parallel_for(shape.batch * volume(shape.window.output),
                 pool_grain(shape.channels * shape.window.most_taps()),
                 [&](int64_t begin, int64_t end) { images.find(begin, end, y, indices); });
  } else if (std::is_same_v<T, float> && volume(in) <= std::numeric_limits<int32_t>::max()) {
    find_in_rows<int32_t>(shape, x, steps, y, indices);
  } else {
    find_in_rows<int64_t>(shape, x, steps, y, indices);
  }
}

#define CPU_LARGEST_FOR(T)                                                                  \
  template void pool_with_indices(const PoolShape&, const Images<const T>&, bool, bool, T*, \
                                  int64_t*);
CPU_LARGEST_FOR(float)
CPU_LARGEST_FOR(double)
CPU_LARGEST_FOR(int8_t)
CPU_LARGEST_FOR(uint8_t)
#undef CPU_LARGEST_FOR

}  // namespace cpu
