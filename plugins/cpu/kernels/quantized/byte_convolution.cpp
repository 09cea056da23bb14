#include "kernels/quantized/byte_convolution.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "kernels/quantized/byte_operands.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/parallel.hpp"

namespace cpu {

uint64_t ByteFilters::bytes() const {
  uint64_t made = (pairs.size() + pair_sums.size()) * sizeof(int32_t);
  for (const auto& group : groups) made += group->bytes();
  return made;
}

bool is_by_channel(const ConstTensor& weights, int64_t groups) {
  return groups > 1 && weights.shape[0] == groups && weights.shape[1] == 1;
}

namespace {

// Weights by groups as [taps, inputs, outputs], with rows of zeros at the end; at least one row,
// also where there are no inputs.
ByteFilters pack_groups(const ConstTensor& weights, int64_t groups) {
  const int64_t outputs = weights.shape[0] / groups, inputs = weights.shape[1];
  const int64_t taps = sy::element_count(weights.shape.subspan(2));
  const int64_t depth = taps * inputs;
  const int64_t least = std::max<int64_t>(1, depth);
  const int64_t rows = taps == 1 ? least : padded_rows(least);
  const bool is_signed = weights.dtype == SY_INT8;
  const Scratch<uint8_t> plain(weights.size());
  copy_tensor(weights, ContiguousTensor(weights.dtype, plain.data(), weights.shape).get());
  std::vector<uint8_t> turned(static_cast<size_t>(rows * outputs), is_signed ? 0 : 0x80);
  ByteFilters made;
  for (int64_t group = 0; group < groups; ++group) {
    for (int64_t o = 0; o < outputs; ++o) {
      const uint8_t* from = plain.data() + (group * outputs + o) * depth;
      for (int64_t i = 0; i < inputs; ++i) {
        for (int64_t t = 0; t < taps; ++t) {
          turned[static_cast<size_t>((t * inputs + i) * outputs + o)] = *from++;
        }
      }
    }
    made.groups.push_back(pack_bytes({turned.data(), is_signed, outputs, 1}, rows, outputs));
  }
  return made;
}

ByteFilters pack_pairs(const ConstTensor& weights, const std::vector<int32_t>& zeros) {
  const int64_t channels = weights.shape[0];
  const int64_t taps = sy::element_count(weights.shape.subspan(2));
  const std::vector<int32_t> numbers = integers_of(weights, signed_shift(weights.dtype == SY_INT8));
  ByteFilters made;
  made.pairs.resize(static_cast<size_t>((taps + 1) / 2 * channels));
  made.pair_sums.resize(static_cast<size_t>(channels));
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t t = 0; t < taps; ++t) {
      const int32_t number =
          numbers[static_cast<size_t>(c * taps + t)] - zeros[static_cast<size_t>(c)];
      const uint32_t half = static_cast<uint32_t>(number) & 0xffff;
      int32_t& pair = made.pairs[static_cast<size_t>(t / 2 * channels + c)];
      pair = static_cast<int32_t>(static_cast<uint32_t>(pair) | half << (t % 2 * 16));
      made.pair_sums[static_cast<size_t>(c)] += number;
    }
  }
  return made;
}

// Where the windows' elements lie: rows of `x`'s channels, or of padding.
class ByteWindows {
 public:
  ByteWindows(const ConvolutionShape& shape, const uint8_t* x, uint8_t padding)
      : window_(shape.window),
        x_(x),
        padding_(padding),
        channels_(shape.groups * shape.group_inputs),
        group_inputs_(shape.group_inputs),
        positions_(volume(window_.output)) {}

  // Windows of `count` positions from `first` on, `step` bytes apart, of one group's channels.
  void write(int64_t group, int64_t first, int64_t count, int64_t step, uint8_t* to) const {
    const int64_t row_bytes = window_.kernel[2] * group_inputs_;
    Position position = position_of(first);
    for (int64_t i = 0; i < count; ++i, to += step, advance(position)) {
      uint8_t* row = to;
      for (int64_t d = 0; d < window_.kernel[0]; ++d) {
        for (int64_t h = 0; h < window_.kernel[1]; ++h, row += row_bytes) {
          write_row(row_of(position, d, h), group, position.start[2], row);
        }
      }
      std::memset(row, padding_, static_cast<size_t>(to + step - row));
    }
  }

  // Calls use(position) for `count` positions from `first` on, once pointers to the channels of
  // every tap lie in `taps`; `nothing` for the padding.
  template <typename Use>
  void point(int64_t first, int64_t count, const uint8_t* nothing, std::span<const uint8_t*> taps,
             Use use) const {
    const int64_t shift = window_.stride[2] * channels_;
    Position position = position_of(first);
    bool inside = false;  // where no tap of a row is padding, the next place's lie beside them
    for (int64_t i = 0; i < count; ++i, advance(position)) {
      const bool was_inside = std::exchange(inside, is_inside(position.start[2]));
      if (was_inside && inside && position.column != 0) {
        for (const uint8_t*& tap : taps) tap += tap == nothing ? 0 : shift;
      } else {
        point_at(position, nothing, taps.data());
      }
      use(first + i);
    }
  }

 private:
  struct Position {
    const uint8_t* image;
    Spatial start;
    int64_t index, column;  // among all positions, and in its row
  };

  bool is_inside(int64_t start) const {
    const int64_t last = start + (window_.kernel[2] - 1) * window_.dilation[2];
    return start >= 0 && last < window_.input[2];
  }

  void point_at(const Position& position, const uint8_t* nothing, const uint8_t** taps) const {
    for (int64_t d = 0; d < window_.kernel[0]; ++d) {
      for (int64_t h = 0; h < window_.kernel[1]; ++h) {
        const uint8_t* row = row_of(position, d, h);
        for (int64_t w = 0; w < window_.kernel[2]; ++w) {
          const int64_t at = position.start[2] + w * window_.dilation[2];
          const bool inside = row != nullptr && at >= 0 && at < window_.input[2];
          *taps++ = inside ? row + at * channels_ : nothing;
        }
      }
    }
  }

  Position position_of(int64_t index) const {
    const int64_t image = index / positions_;
    int64_t rest = index % positions_;
    Position made{
        x_ + image * volume(window_.input) * channels_, {}, index, index % window_.output[2]};
    for (size_t axis = spatial_rank; axis-- > 0;) {
      made.start[axis] = window_.start(axis, rest % window_.output[axis]);
      rest /= window_.output[axis];
    }
    return made;
  }

  void advance(Position& position) const {
    if (++position.column == window_.output[2]) {
      position = position_of(position.index + 1);
    } else {
      ++position.index;
      position.start[2] += window_.stride[2];
    }
  }

  // Null outside of the image.
  const uint8_t* row_of(const Position& position, int64_t d, int64_t h) const {
    const int64_t depth = position.start[0] + d * window_.dilation[0];
    const int64_t height = position.start[1] + h * window_.dilation[1];
    if (depth < 0 || depth >= window_.input[0] || height < 0 || height >= window_.input[1]) {
      return nullptr;
    }
    return position.image + (depth * window_.input[1] + height) * window_.input[2] * channels_;
  }

  // One row of a window; neighbours of all channels are copied at once.
  void write_row(const uint8_t* row, int64_t group, int64_t start, uint8_t* to) const {
    const int64_t taps = window_.kernel[2], step = window_.dilation[2];
    const auto bytes = static_cast<size_t>(group_inputs_);
    if (row == nullptr) {
      std::memset(to, padding_, static_cast<size_t>(taps) * bytes);
    } else if (step == 1 && channels_ == group_inputs_) {
      const int64_t begin = std::clamp<int64_t>(-start, 0, taps);
      const int64_t end = std::clamp<int64_t>(window_.input[2] - start, begin, taps);
      if (begin > 0) std::memset(to, padding_, static_cast<size_t>(begin) * bytes);
      if (begin < end) {
        std::memcpy(to + begin * channels_, row + (start + begin) * channels_,
                    static_cast<size_t>(end - begin) * bytes);
      }
      if (end < taps) {
        std::memset(to + end * channels_, padding_, static_cast<size_t>(taps - end) * bytes);
      }
    } else {
      for (int64_t w = 0; w < taps; ++w, to += bytes) {
        const int64_t at = start + w * step;
        if (at < 0 || at >= window_.input[2]) {
          std::memset(to, padding_, bytes);
        } else {
          std::memcpy(to, row + at * channels_ + group * group_inputs_, bytes);
        }
      }
    }
  }

  const Window& window_;
  const uint8_t* x_;
  uint8_t padding_;
  int64_t channels_, group_inputs_, positions_;
};

bool is_pointwise(const Window& window) {
  for (size_t axis = 0; axis < spatial_rank; ++axis) {
    if (window.kernel[axis] != 1 || window.stride[axis] != 1 || window.pad[axis] != 0) return false;
  }
  return window.input == window.output;
}

ByteResult of_group(ByteResult result, int64_t first_output) {
  const auto bytes = static_cast<int64_t>(result.column_factors == nullptr ? sizeof(int32_t) : 1);
  result.data += first_output * bytes;
  if (result.right_zeros != nullptr) result.right_zeros += first_output;
  if (result.bias != nullptr) result.bias += first_output;
  if (result.column_factors != nullptr) result.column_factors += first_output;
  return result;
}

void convolve_groups(const ConvolutionShape& shape, const uint8_t* x, uint8_t padding,
                     const ByteFilters& filters, const ByteResult& result) {
  const int64_t rows = shape.batch * volume(shape.window.output);
  const ByteWindows windows(shape, x, padding);
  for (int64_t group = 0; group < shape.groups; ++group) {
    const ByteMatrix& matrix = *filters.groups[static_cast<size_t>(group)];
    ByteRows left{rows, matrix.rows()};
    if (is_pointwise(shape.window) && shape.group_inputs > 0) {
      left.data = x + group * shape.group_inputs;
      left.step = shape.groups * shape.group_inputs;
    } else {
      left.write = [&, group](int64_t first, int64_t count, uint8_t* to) {
        windows.write(group, first, count, matrix.rows(), to);
      };
    }
    multiply_bytes(left, matrix, of_group(result, group * shape.group_outputs));
  }
}

void convolve_channels(const ConvolutionShape& shape, const uint8_t* x, uint8_t padding,
                       const ByteFilters& filters, const ByteResult& result) {
  const int64_t channels = shape.groups, taps = shape.depth();
  const ByteWindows windows(shape, x, padding);
  const std::vector<uint8_t> nothing(static_cast<size_t>(channels), padding);
  const ColumnTerms terms(result, 0, filters.pair_sums.data(), channels);
  constexpr int64_t worth_a_thread = int64_t{1} << 18;  // taps of channels
  parallel_for(shape.batch * volume(shape.window.output),
               std::max<int64_t>(1, worth_a_thread / (channels * (taps + 4))),
               [&](int64_t begin, int64_t end) {
                 const Scratch<int32_t> sums(channels);
                 const Scratch<const uint8_t*> pointers(taps);
                 windows.point(begin, end - begin, nothing.data(),
                               {pointers.data(), static_cast<size_t>(taps)}, [&](int64_t position) {
                                 depthwise_row(pointers.data(), taps, filters.pairs.data(),
                                               channels, sums.data());
                                 terms.write(sums.data(), position, 1, 0, channels);
                               });
               });
}

}  // namespace

ByteFilters pack_filters(const ConstTensor& weights, int64_t groups,
                         const std::vector<int32_t>& zeros) {
  return is_by_channel(weights, groups) ? pack_pairs(weights, zeros) : pack_groups(weights, groups);
}

void convolve_bytes(const ConvolutionShape& shape, const uint8_t* x, uint8_t padding,
                    const ByteFilters& filters, const ByteResult& result) {
  if (filters.groups.empty()) return convolve_channels(shape, x, padding, filters, result);
  convolve_groups(shape, x, padding, filters, result);
}

}  // namespace cpu
