#include "kernels/pooling/pool.hpp"

#include <algorithm>

#include "kernels/pooling/positions.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"

namespace cpu {
namespace {

// Pools the positions of images, piece of a row by piece.
template <typename T>
class Pool {
 public:
  Pool(const PoolShape& shape, const PoolMeaning& meaning, const Images<const T>& x)
      : window_(shape.window),
        shape_(shape),
        meaning_(meaning),
        steps_{x.steps[2], x.steps[3], x.steps[4]},
        line_(pool_line<T>(meaning.kind)),
        positions_(window_) {}

  // Positions [begin, end) of a row, all channels of a position side by side.
  void positions_of_channels(const T* image, int64_t row, int64_t begin, int64_t end, int64_t* taps,
                             T* y) const {
    positions_.each_piece(row, begin, end, [&](const Position& here, int64_t count) {
      const int64_t tap_count = positions_.taps_of(here, steps_, taps);
      const T number = number_for(here);
      for (int64_t i = 0; i < count; ++i) {
        line_(image + i * step(), 1, taps, tap_count, y, shape_.channels, number);
        y += shape_.channels;
      }
    });
  }

  // A row of a channel: positions whose windows lie within the row's ends go together.
  void row_of_channel(const T* channel, int64_t row, int64_t* taps, T* y) const {
    positions_.each_piece(row, 0, window_.output[2], [&](const Position& here, int64_t count) {
      const int64_t tap_count = positions_.taps_of(here, steps_, taps);
      line_(channel, count == 1 ? 0 : step(), taps, tap_count, y + here.at[2], count,
            number_for(here));
    });
  }

 private:
  int64_t step() const { return window_.stride[2] * steps_[2]; }

  T number_for(const Position& here) const {
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
  const Spatial steps_;
  const PoolLine<T> line_;
  const Positions positions_;
};

}  // namespace

template <typename T>
void pool(const PoolShape& shape, const PoolMeaning& meaning, const Images<const T>& x, bool last,
          T* y) {
  const Pool<T> pooling(shape, meaning, x);
  const int64_t positions = volume(shape.window.output);
  const int64_t taps = shape.window.most_taps();
  if (last) {
    const int64_t grain = pool_grain(shape.channels * taps);
    parallel_for(shape.batch * positions, grain, [&](int64_t begin, int64_t end) {
      const Scratch<int64_t> offsets(taps);
      T* to = y + begin * shape.channels;
      each_row_part(shape.window, begin, end,
                    [&](int64_t image, int64_t row, int64_t first, int64_t behind) {
                      pooling.positions_of_channels(x.data + image * x.steps[0], row, first, behind,
                                                    offsets.data(), to);
                      to += (behind - first) * shape.channels;
                    });
    });
    return;
  }
  const int64_t width = shape.window.output[2];
  const int64_t rows = width == 0 ? 0 : positions / width;
  parallel_for(shape.batch * shape.channels * rows, pool_grain(width * taps),
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

template void pool(const PoolShape&, const PoolMeaning&, const Images<const float>&, bool, float*);
template void pool(const PoolShape&, const PoolMeaning&, const Images<const double>&, bool,
                   double*);
template void pool(const PoolShape&, const PoolMeaning&, const Images<const int8_t>&, bool,
                   int8_t*);
template void pool(const PoolShape&, const PoolMeaning&, const Images<const uint8_t>&, bool,
                   uint8_t*);

}  // namespace cpu
