#include "kernels/normalization/channel_layouts.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "kernels/normalization/moments.hpp"
#include "simd/reduce_functions.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {
namespace {

constexpr int64_t long_tile = 128;     // elements
constexpr int64_t short_channel = 32;  // that vectors are not worth

LineOffsets steps_of(const ChannelTensors& tensors, size_t axis) {
  LineOffsets steps{};
  steps[0] = LineOperand::whole(tensors.gradient).steps[axis];
  steps[1] = LineOperand::whole(tensors.input).steps[axis];
  steps[2] = LineOperand::whole(tensors.output).steps[axis];
  return steps;
}

LineWalk walk_of_planes(const ChannelTensors& tensors) {
  return {tensors.input.shape, all_axes(tensors.input.rank()) & ~uint64_t{3},
          std::array{LineOperand::whole(tensors.gradient), LineOperand::whole(tensors.input),
                     LineOperand::whole(tensors.output)},
          LineOrder::row_major};
}

sy::Dimensions with_channels_last(sy::Extents numbers) {
  sy::Dimensions made(numbers);
  std::rotate(made.data.begin() + 1, made.data.begin() + 2, made.data.begin() + made.rank);
  return made;
}

LineOperand operand_with_channels_last(const ConstTensor& tensor) {
  return {with_channels_last(LineOperand::whole(tensor).steps)};
}

LineWalk walk_of_rows(const ChannelTensors& tensors, bool across_samples) {
  const uint64_t kept = across_samples ? 0 : 1;
  return {with_channels_last(tensors.input.shape), all_axes(tensors.input.rank()) & ~kept,
          std::array{operand_with_channels_last(tensors.gradient),
                     operand_with_channels_last(tensors.input),
                     operand_with_channels_last(tensors.output)},
          LineOrder::row_major};
}

int64_t positions_together(int64_t channels) { return std::max<int64_t>(1, long_tile / channels); }

int64_t positions_of_piece(int64_t channels) {
  const int64_t least = column_rows * positions_together(channels);
  return least * std::max<int64_t>(1, piece_elements / (least * channels));
}

ChannelBlocks blocks_of_planes(const ChannelGroups& groups, int64_t parts) {
  const int64_t in_group = groups.channels / groups.groups;
  if (groups.across_samples) {
    return {1, groups.channels, 1, 1, groups.samples * groups.rest, groups.samples * parts, 1};
  }
  return {groups.samples, groups.groups, in_group, 1, in_group * groups.rest, in_group * parts, 1};
}

ChannelBlocks blocks_of_rows(const ChannelGroups& groups, int64_t positions, int64_t of_piece) {
  const int64_t in_group = groups.channels / groups.groups;
  return {groups.across_samples ? 1 : groups.samples,
          1,
          groups.channels,
          groups.groups,
          in_group * positions,
          sy::ceil_div(positions, of_piece),
          groups.channels};
}

// ---- contiguous numbers of one channel

template <typename W>
ChannelSums sums_one_by_one(const W* gradient, const W* x, int64_t count, W centre) {
  ChannelSums sums;
  for (int64_t i = 0; i < count; ++i) {
    const auto distance = static_cast<double>(x[i] - centre);
    const auto grad = static_cast<double>(gradient[i]);
    sums.plain += distance;
    sums.squared += distance * distance;
    sums.gradient += grad;
    sums.along += grad * distance;
  }
  return sums;
}

ChannelSums channel_sums_of(const float* gradient, const float* x, int64_t count, float centre) {
  if (count < short_channel) return sums_one_by_one(gradient, x, count, centre);
  return vector_lines().channel_sums(gradient, x, count, centre);
}
ChannelSums channel_sums_of(const double* gradient, const double* x, int64_t count, double centre) {
  return sums_one_by_one(gradient, x, count, centre);
}

template <typename W>
void write_one_by_one(const W* gradient, const W* x, int64_t count,
                      const ChannelFactors<W>& factors, W* to) {
  for (int64_t i = 0; i < count; ++i) {
    const W standard = (x[i] - factors.centre) * factors.factor + factors.shift;
    to[i] =
        factors.factor * (gradient[i] * factors.scale - factors.mean - standard * factors.along);
  }
}

void write_channel(const float* gradient, const float* x, int64_t count,
                   const ChannelFactors<float>& factors, float* to) {
  if (count < short_channel) return write_one_by_one(gradient, x, count, factors, to);
  vector_lines().channel_gradient(gradient, x, count, factors, to);
}
void write_channel(const double* gradient, const double* x, int64_t count,
                   const ChannelFactors<double>& factors, double* to) {
  write_one_by_one(gradient, x, count, factors, to);
}

// ---- rows of channels

void sums_of_columns(const ColumnBlock<float>& block, const float* centre,
                     const ColumnSums<float>& to) {
  vector_columns().channel_sums(block, centre, to);
}
void sums_of_columns(const ColumnBlock<double>& block, const double* centre,
                     const ColumnSums<double>& to) {
  for (double* sums : {to.plain, to.squared, to.gradient, to.along}) {
    std::fill_n(sums, block.columns, 0.0);
  }
  for (int64_t i = 0; i < block.rows * block.columns; ++i) {
    const int64_t c = i % block.columns;
    const double distance = block.x[i] - centre[c];
    to.plain[c] += distance;
    to.squared[c] += distance * distance;
    to.gradient[c] += block.gradient[i];
    to.along[c] += block.gradient[i] * distance;
  }
}

void write_columns(const ColumnBlock<float>& block, const ColumnFactors<float>& factors,
                   float* to) {
  vector_columns().channel_gradient(block, factors, to);
}
void write_columns(const ColumnBlock<double>& block, const ColumnFactors<double>& factors,
                   double* to) {
  for (int64_t i = 0; i < block.rows * block.columns; ++i) {
    const int64_t c = i % block.columns;
    write_one_by_one(block.gradient + i, block.x + i, 1,
                     {factors.centre[c], factors.factor[c], factors.shift[c], factors.scale[c],
                      factors.mean[c], factors.along[c]},
                     to + i);
  }
}

// Calls `body(begin, rows, columns)` for blocks of at most `column_rows` rows, of `width` elements
// as long as there are so many.
template <typename Body>
void for_each_block(int64_t count, int64_t width, Body body) {
  for (int64_t at = 0; at < count;) {
    const int64_t columns = std::min(width, count - at);
    const int64_t rows = std::min(column_rows, (count - at) / columns);
    body(at, rows, columns);
    at += rows * columns;
  }
}

// Calls `body(channel, i)` for each column, whose channels repeat.
template <typename Body>
void for_each_channel(int64_t columns, int64_t channels, Body body) {
  for (int64_t first = 0; first < columns; first += channels) {
    for (int64_t c = 0; c < channels; ++c) body(c, first + c);
  }
}

}  // namespace

ChannelGroups::ChannelGroups(sy::Extents shape, int64_t groups_of_sample)
    : samples(shape[0]),
      channels(shape[1]),
      rest(sy::element_count(shape.subspan(2))),
      groups(groups_of_sample == 0 ? shape[1] : groups_of_sample),
      across_samples(groups_of_sample == 0) {}

bool lies_in_rows(const ConstTensor& tensor) {
  if (tensor.shape[1] == 1) return false;
  for (size_t i = 2; i < tensor.rank(); ++i) {
    if (tensor.shape[i] == 1) continue;
    if (std::abs(tensor.strides[i]) <= std::abs(tensor.strides[1])) return false;
  }
  return true;
}

PlaneLayout::PlaneLayout(const ChannelTensors& tensors, const ChannelGroups& groups)
    : tensors_(tensors),
      groups_(groups),
      walk_(walk_of_planes(tensors)),
      parts_(sy::ceil_div(groups.rest, piece_elements)),
      blocks_(blocks_of_planes(groups, parts_)),
      of_sample_(steps_of(tensors, 0)),
      of_channel_(steps_of(tensors, 1)) {}

ChannelPiece PlaneLayout::piece(int64_t sample, int64_t block, int64_t index) const {
  const int64_t plane = index / parts_, begin = index % parts_ * piece_elements;
  const int64_t n = groups_.across_samples ? plane : sample;
  const int64_t c = groups_.across_samples ? block : block * blocks_.channels + plane;
  ChannelPiece piece{{{}, begin, std::min(piece_elements, groups_.rest - begin)},
                     groups_.across_samples ? 0 : plane};
  for (size_t k = 0; k < piece.place.offsets.size(); ++k) {
    piece.place.offsets[k] = n * of_sample_[k] + c * of_channel_[k];
  }
  return piece;
}

RowLayout::RowLayout(const ChannelTensors& tensors, const ChannelGroups& groups)
    : tensors_(tensors),
      walk_(walk_of_rows(tensors, groups.across_samples)),
      positions_(groups.across_samples ? groups.samples * groups.rest : groups.rest),
      piece_positions_(positions_of_piece(groups.channels)),
      blocks_(blocks_of_rows(groups, positions_, piece_positions_)),
      of_sample_(steps_of(tensors, 0)) {}

ChannelPiece RowLayout::piece(int64_t sample, int64_t, int64_t index) const {
  const int64_t first = index * piece_positions_;
  const int64_t positions = std::min(piece_positions_, positions_ - first);
  ChannelPiece piece{{{}, first * blocks_.channels, positions * blocks_.channels}, 0};
  for (size_t k = 0; k < piece.place.offsets.size(); ++k) {
    piece.place.offsets[k] = sample * of_sample_[k];
  }
  return piece;
}

template <typename W>
PlaneWork<W>::PlaneWork(const PlaneLayout& layout)
    : gradient_(layout.walk(), 0, layout.tensors().gradient),
      x_(layout.walk(), 1, layout.tensors().input),
      to_(layout.walk(), 2, layout.tensors().output) {}

template <typename W>
void PlaneWork<W>::sum(const ChannelPiece& piece, ChannelSums* to) {
  static const auto row = reduce_functions<W>(ReduceKind::sum).row;
  *to = {.plain = row(x_.read(piece.place), piece.place.count)};
}

template <typename W>
void PlaneWork<W>::sums(const ChannelPiece& piece, ChannelSums* to) {
  *to = channel_sums_of(gradient_.read(piece.place), x_.read(piece.place), piece.place.count,
                        centres_[piece.channel]);
}

template <typename W>
void PlaneWork<W>::write(const ChannelPiece& piece) {
  const W* gradient = gradient_.read(piece.place);
  const W* x = x_.read(piece.place);
  write_channel(gradient, x, piece.place.count, factors_[piece.channel], to_.room(piece.place));
  to_.write(piece.place);
}

template <typename W>
RowWork<W>::RowWork(const RowLayout& layout)
    : gradient_(layout.walk(), 0, layout.tensors().gradient),
      x_(layout.walk(), 1, layout.tensors().input),
      to_(layout.walk(), 2, layout.tensors().output),
      channels_(layout.blocks().channels),
      width_(channels_ * positions_together(channels_)),
      tiles_(static_cast<size_t>(11 * width_)) {}

template <typename W>
void RowWork<W>::take_centres(const W* centres) {
  for_each_channel(width_, channels_, [&](int64_t c, int64_t i) { tile(6)[i] = centres[c]; });
}

template <typename W>
void RowWork<W>::take_factors(const ChannelFactors<W>* factors) {
  for_each_channel(width_, channels_, [&](int64_t c, int64_t i) {
    tile(0)[i] = factors[c].centre;
    tile(1)[i] = factors[c].factor;
    tile(2)[i] = factors[c].shift;
    tile(3)[i] = factors[c].scale;
    tile(4)[i] = factors[c].mean;
    tile(5)[i] = factors[c].along;
  });
}

template <typename W>
void RowWork<W>::sum(const ChannelPiece& piece, ChannelSums* to) {
  static const auto add = reduce_functions<W>(ReduceKind::sum).columns;
  const W* x = x_.read(piece.place);
  std::fill_n(to, channels_, ChannelSums{});
  for_each_block(piece.place.count, width_, [&](int64_t at, int64_t rows, int64_t columns) {
    std::fill_n(tile(7), columns, W{0});
    add(x + at, columns, rows, columns, tile(7));
    for_each_channel(columns, channels_,
                     [&](int64_t c, int64_t i) { to[c].plain += static_cast<double>(tile(7)[i]); });
  });
}

template <typename W>
void RowWork<W>::sums(const ChannelPiece& piece, ChannelSums* to) {
  const W* gradient = gradient_.read(piece.place);
  const W* x = x_.read(piece.place);
  const ColumnSums<W> sums{tile(7), tile(8), tile(9), tile(10)};
  std::fill_n(to, channels_, ChannelSums{});
  for_each_block(piece.place.count, width_, [&](int64_t at, int64_t rows, int64_t columns) {
    sums_of_columns({gradient + at, x + at, rows, columns}, tile(6), sums);
    for_each_channel(columns, channels_, [&](int64_t c, int64_t i) {
      to[c].plain += static_cast<double>(sums.plain[i]);
      to[c].squared += static_cast<double>(sums.squared[i]);
      to[c].gradient += static_cast<double>(sums.gradient[i]);
      to[c].along += static_cast<double>(sums.along[i]);
    });
  });
}

template <typename W>
void RowWork<W>::write(const ChannelPiece& piece) {
  const W* gradient = gradient_.read(piece.place);
  const W* x = x_.read(piece.place);
  W* to = to_.room(piece.place);
  const ColumnFactors<W> factors{tile(0), tile(1), tile(2), tile(3), tile(4), tile(5)};
  for_each_block(piece.place.count, width_, [&](int64_t at, int64_t rows, int64_t columns) {
    write_columns({gradient + at, x + at, rows, columns}, factors, to + at);
  });
  to_.write(piece.place);
}

template class PlaneWork<float>;
template class PlaneWork<double>;
template class RowWork<float>;
template class RowWork<double>;

}  // namespace cpu
