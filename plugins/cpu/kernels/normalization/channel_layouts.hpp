// How [N, C, ...] is cut for the gradients of norms by channels: into blocks, which hold whole
// groups of what is normalized together, and these into pieces, which are read as contiguous
// numbers. All follows from shape and layout: results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "loops/line_pieces.hpp"
#include "simd/vector_columns.hpp"
#include "simd/vector_lines.hpp"

namespace cpu {

inline constexpr int64_t piece_elements = 16384;

// Of one shape [N, C, ...]: operands 0 to 2 of a layout's walk.
struct ChannelTensors {
  const ConstTensor &gradient, &input;
  const Tensor& output;
};

// What is normalized together: so many groups of a sample's channels, or each channel of all
// samples.
struct ChannelGroups {
  int64_t samples, channels, rest;
  int64_t groups;
  bool across_samples;

  ChannelGroups(sy::Extents shape, int64_t groups_of_sample);  // 0: across samples
};

struct ChannelBlocks {
  int64_t samples;         // that have blocks of their own
  int64_t blocks;          // of a sample
  int64_t channels;        // of a block
  int64_t groups;          // of a block, of equally many channels
  int64_t group_size;      // elements
  int64_t pieces;          // of a block
  int64_t piece_channels;  // of a piece
};

struct ChannelPiece {
  LinePiece place;
  int64_t channel;  // its first one, counted within the block
};

// True if channels are nearer to each other than the positions.
bool lies_in_rows(const ConstTensor& tensor);

// A piece lies in the plane of one sample and channel. Blocks are a sample's group, or a channel.
class PlaneLayout {
 public:
  PlaneLayout(const ChannelTensors& tensors, const ChannelGroups& groups);
  const ChannelBlocks& blocks() const { return blocks_; }
  const LineWalk& walk() const { return walk_; }
  const ChannelTensors& tensors() const { return tensors_; }
  ChannelPiece piece(int64_t sample, int64_t block, int64_t index) const;

 private:
  const ChannelTensors tensors_;
  const ChannelGroups groups_;
  const LineWalk walk_;
  const int64_t parts_;  // of a plane
  const ChannelBlocks blocks_;
  LineOffsets of_sample_, of_channel_;
};

// A piece is some positions with all channels side by side. Blocks are samples, or the whole.
class RowLayout {
 public:
  RowLayout(const ChannelTensors& tensors, const ChannelGroups& groups);
  const ChannelBlocks& blocks() const { return blocks_; }
  const LineWalk& walk() const { return walk_; }
  const ChannelTensors& tensors() const { return tensors_; }
  ChannelPiece piece(int64_t sample, int64_t block, int64_t index) const;

 private:
  const ChannelTensors tensors_;
  const LineWalk walk_;
  const int64_t positions_, piece_positions_;  // of a block, of a piece
  const ChannelBlocks blocks_;
  LineOffsets of_sample_;
};

// What one thread does to pieces.
template <typename W>
class PlaneWork {
 public:
  explicit PlaneWork(const PlaneLayout& layout);

  void take_centres(const W* centres) { centres_ = centres; }
  void take_factors(const ChannelFactors<W>* factors) { factors_ = factors; }

  // Of each channel of the piece: the sum of x as `plain`; all sums; the gradient, written.
  void sum(const ChannelPiece& piece, ChannelSums* to);
  void sums(const ChannelPiece& piece, ChannelSums* to);
  void write(const ChannelPiece& piece);

 private:
  LineReader<W> gradient_, x_;
  LineWriter<W> to_;
  const W* centres_ = nullptr;
  const ChannelFactors<W>* factors_ = nullptr;
};

// The same. Rows of few channels would be short: the numbers of channels are repeated for as many
// positions as make a long one.
template <typename W>
class RowWork {
 public:
  explicit RowWork(const RowLayout& layout);

  void take_centres(const W* centres);
  void take_factors(const ChannelFactors<W>* factors);

  void sum(const ChannelPiece& piece, ChannelSums* to);
  void sums(const ChannelPiece& piece, ChannelSums* to);
  void write(const ChannelPiece& piece);

 private:
  W* tile(int64_t i) { return tiles_.data() + i * width_; }

  LineReader<W> gradient_, x_;
  LineWriter<W> to_;
  const int64_t channels_, width_;
  std::vector<W> tiles_;  // six rows of factors, one of centres, four of sums
};

}  // namespace cpu
