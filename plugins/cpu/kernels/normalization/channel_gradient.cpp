// BatchNormalizationGradient and GroupNormalizationGradient: a block at a time, while it is in the
// cache, in three passes: the mean, the sums that all else follows from, the gradient. Many blocks
// are shared out among the threads; of few large ones each is, piece by piece.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/normalization/channel_layouts.hpp"
#include "kernels/normalization/moments.hpp"
#include "loops/elementwise.hpp"
#include "loops/numbers.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {
namespace {

constexpr int64_t most_tables = 16;        // of sums by channel
constexpr int64_t tasks_for_a_thread = 4;  // that keep all threads busy to the end

// What a channel gives the scale and the bias.
struct ParameterSums {
  double scale = 0, bias = 0;
};

void add_sums(ChannelSums& sums, const ChannelSums& more) {
  sums.plain += more.plain;
  sums.squared += more.squared;
  sums.gradient += more.gradient;
  sums.along += more.along;
}

// What one thread needs for a block, or for block after block.
template <typename W, typename Layout, typename Work>
class BlockGradient {
 public:
  BlockGradient(const Layout& layout, const W* scale, double epsilon, bool on_team)
      : layout_(layout),
        blocks_(layout.blocks()),
        scale_(scale),
        epsilon_(epsilon),
        on_team_(on_team),
        work_(layout),
        sums_(static_cast<size_t>(blocks_.channels)),
        of_piece_(static_cast<size_t>(blocks_.piece_channels)),
        centres_(sums_.size()),
        factors_(sums_.size()) {}

  // Writes the block's gradient, and adds its channels' to `parameters`.
  void run(int64_t sample, int64_t block, ParameterSums* parameters) {
    sample_ = sample;
    block_ = block;
    join([](Work& work, const ChannelPiece& piece, ChannelSums* to) { work.sum(piece, to); });
    find_centres();
    work_.take_centres(centres_.data());
    join([this](Work& work, const ChannelPiece& piece, ChannelSums* to) {
      if (&work != &work_) work.take_centres(centres_.data());
      work.sums(piece, to);
    });
    const int64_t first = block * blocks_.channels;
    for (int64_t i = 0; i < blocks_.groups; ++i) find_factors(i, first, parameters + first);
    write();
  }

 private:
  int64_t grain() const {
    const int64_t elements = blocks_.groups * blocks_.group_size / blocks_.pieces;
    return std::max<int64_t>(1, medium_grain / std::max<int64_t>(1, elements));
  }

  // Sums over all pieces, each by itself, joined in their order.
  template <typename OfPiece>
  void join(OfPiece of_piece) {
    if (blocks_.pieces == 1 && blocks_.piece_channels == blocks_.channels) {
      return of_piece(work_, layout_.piece(sample_, block_, 0), sums_.data());
    }
    std::fill(sums_.begin(), sums_.end(), ChannelSums{});
    on_team_ ? join_on_team(of_piece) : join_alone(of_piece);
  }

  template <typename OfPiece>
  void join_alone(OfPiece of_piece) {
    for (int64_t i = 0; i < blocks_.pieces; ++i) {
      const ChannelPiece piece = layout_.piece(sample_, block_, i);
      of_piece(work_, piece, of_piece_.data());
      add_piece(piece.channel, of_piece_.data());
    }
  }

  template <typename OfPiece>
  void join_on_team(OfPiece of_piece) {
    const int64_t channels = blocks_.piece_channels;
    std::vector<ChannelSums> parts(static_cast<size_t>(blocks_.pieces * channels));
    parallel_for(blocks_.pieces, grain(), [&](int64_t begin, int64_t end) {
      Work work(layout_);
      for (int64_t i = begin; i < end; ++i) {
        of_piece(work, layout_.piece(sample_, block_, i), parts.data() + i * channels);
      }
    });
    for (int64_t i = 0; i < blocks_.pieces; ++i) {
      add_piece(layout_.piece(sample_, block_, i).channel, parts.data() + i * channels);
    }
  }

  void add_piece(int64_t channel, const ChannelSums* sums) {
    for (int64_t c = 0; c < blocks_.piece_channels; ++c) add_sums(sums_[channel + c], sums[c]);
  }

  int64_t channels_of_group() const { return blocks_.channels / blocks_.groups; }

  void find_centres() {
    const int64_t in_group = channels_of_group();
    for (int64_t first = 0; first < blocks_.channels; first += in_group) {
      double sum = 0;
      for (int64_t c = first; c < first + in_group; ++c) sum += sums_[c].plain;
      const auto centre = static_cast<W>(sum / static_cast<double>(blocks_.group_size));
      std::fill_n(centres_.begin() + first, in_group, centre);
    }
  }

  // Of the sums of a group: what its elements are made with, and what its channels give. `block`:
  // the block's first channel.
  void find_factors(int64_t group, int64_t block, ParameterSums* parameters) {
    const int64_t in_group = channels_of_group(), first = group * in_group;
    const auto size = static_cast<double>(blocks_.group_size);
    ChannelSums all;
    for (int64_t c = first; c < first + in_group; ++c) add_sums(all, sums_[c]);
    const double rest = all.plain / size;
    const LineMoments<W> moments{centres_[first], rest, variance_of(all.squared / size, rest)};
    const double factor = 1 / std::sqrt(moments.variance + epsilon_);
    double scaled = 0, along = 0;
    for (int64_t c = first; c < first + in_group; ++c) {
      const double own = along_standard(sums_[c], rest, factor);
      parameters[c].scale += own;
      parameters[c].bias += sums_[c].gradient;
      scaled += scaled_sum(scale_[block + c], sums_[c].gradient);
      along += scaled_sum(scale_[block + c], own);
    }
    for (int64_t c = first; c < first + in_group; ++c) {
      factors_[c] = {
          moments.centre,    static_cast<W>(factor),        moments.shift(factor),
          scale_[block + c], static_cast<W>(scaled / size), static_cast<W>(along / size)};
    }
  }

  // The gradient's sum times the standardized elements. Beside an infinite sum what the centre
  // lacks is nothing.
  static double along_standard(const ChannelSums& sums, double rest, double factor) {
    const double lacking = rest * sums.gradient;
    return factor * (std::isfinite(lacking) ? sums.along - lacking : sums.along);
  }

  // The sum of what is scaled. Products with an infinity are infinities of both signs, which their
  // sum alone would not tell.
  static double scaled_sum(W scale, double sum) {
    return std::isfinite(scale) ? static_cast<double>(scale) * sum
                                : std::numeric_limits<double>::quiet_NaN();
  }

  void write() {
    const auto write_pieces = [&](Work& work, int64_t begin, int64_t end) {
      work.take_factors(factors_.data());
      for (int64_t i = begin; i < end; ++i) work.write(layout_.piece(sample_, block_, i));
    };
    if (!on_team_) return write_pieces(work_, 0, blocks_.pieces);
    parallel_for(blocks_.pieces, grain(), [&](int64_t begin, int64_t end) {
      Work work(layout_);
      write_pieces(work, begin, end);
    });
  }

  const Layout& layout_;
  const ChannelBlocks& blocks_;
  const W* const scale_;
  const double epsilon_;
  const bool on_team_;
  int64_t sample_ = 0, block_ = 0;
  Work work_;
  std::vector<ChannelSums> sums_, of_piece_;
  std::vector<W> centres_;
  std::vector<ChannelFactors<W>> factors_;
};

// Sums by channel are made in tables, of some samples each, and these joined in their order.
template <typename W, typename Layout, typename Work>
std::vector<ParameterSums> run_blocks(const Layout& layout, int64_t channels,
                                      const std::vector<W>& scale, double epsilon) {
  const ChannelBlocks& blocks = layout.blocks();
  const int64_t samples = sy::ceil_div(blocks.samples, most_tables);  // of a table
  const int64_t tables = sy::ceil_div(blocks.samples, samples);
  const int64_t tasks = tables * blocks.blocks;
  const int64_t elements = samples * blocks.groups * blocks.group_size;  // of a task
  // The team shares the pieces of one task after the other where there are more of them.
  const bool on_team = tasks < tasks_for_a_thread * thread_count() &&
                       tasks * elements > medium_grain && blocks.pieces > tasks;
  std::vector<ParameterSums> sums(static_cast<size_t>(tables * channels));
  const auto run_tasks = [&](int64_t begin, int64_t end) {
    BlockGradient<W, Layout, Work> gradient(layout, scale.data(), epsilon, on_team);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t table = i / blocks.blocks, first = table * samples;
      for (int64_t n = first; n < std::min(blocks.samples, first + samples); ++n) {
        gradient.run(n, i % blocks.blocks, sums.data() + table * channels);
      }
    }
  };
  if (on_team) {
    run_tasks(0, tasks);
  } else {
    parallel_for(tasks, std::max<int64_t>(1, medium_grain / elements), run_tasks);
  }
  for (size_t i = static_cast<size_t>(channels); i < sums.size(); ++i) {
    sums[i % channels].scale += sums[i].scale;
    sums[i % channels].bias += sums[i].bias;
  }
  sums.resize(static_cast<size_t>(channels));
  return sums;
}

template <typename W>
void write_parameters(Call& call, uint32_t output, const std::vector<ParameterSums>& sums,
                      double ParameterSums::*which) {
  if (!call.has_output(output)) return;
  std::vector<W> numbers;
  for (const ParameterSums& sum : sums) numbers.push_back(static_cast<W>(sum.*which));
  write_numbers(numbers, call.output(output));
}

template <typename W>
std::vector<ParameterSums> sums_of_all(Call& call, int64_t groups_of_sample, double epsilon) {
  const ChannelTensors tensors{call.input(0), call.input(1), call.output(0)};
  const ChannelGroups groups(tensors.input.shape, groups_of_sample);
  if (tensors.input.size() == 0) {
    return std::vector<ParameterSums>(static_cast<size_t>(groups.channels));
  }
  if (groups.channels % groups.groups != 0) {
    throw sy::invalid(groups.channels, " channels do not divide into ", groups.groups, " groups");
  }
  const std::vector<W> scale = numbers_of<W>(call.input(2));
  if (lies_in_rows(tensors.input)) {
    return run_blocks<W, RowLayout, RowWork<W>>(RowLayout(tensors, groups), groups.channels, scale,
                                                epsilon);
  }
  return run_blocks<W, PlaneLayout, PlaneWork<W>>(PlaneLayout(tensors, groups), groups.channels,
                                                  scale, epsilon);
}

template <typename W>
void run_gradient(Call& call, int64_t groups_of_sample, double epsilon) {
  const std::vector<ParameterSums> sums = sums_of_all<W>(call, groups_of_sample, epsilon);
  write_parameters<W>(call, 1, sums, &ParameterSums::scale);
  write_parameters<W>(call, 2, sums, &ParameterSums::bias);
}

Prepared gradient_kernel(const sy::Node& node, int64_t groups_of_sample) {
  const double epsilon = node.real("epsilon", 1e-5f);
  const bool wide = node.required_input(0).dtype == SY_FLOAT64;
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1, .follows_layout = true}};
  made.kernel = function_kernel([=](Call& call) {
    if (wide) return run_gradient<double>(call, groups_of_sample, epsilon);
    run_gradient<float>(call, groups_of_sample, epsilon);
  });
  return made;
}

Prepared make_batch_gradient(const sy::Node& node) { return gradient_kernel(node, 0); }

Prepared make_group_gradient(const sy::Node& node) {
  const int64_t groups = node.integer("num_groups");
  if (groups < 1) throw sy::invalid("num_groups is ", groups, "; it must be at least 1");
  return gradient_kernel(node, groups);
}

void check_channels_of_gradient(const sy::Node& node) {
  const sy_value& input = node.required_input(1);
  if (sy::has_rank(input) && input.rank < 2) {
    throw sy::unsupported(SY_REASON_RANK, "X has rank ", input.rank, ", so no channels");
  }
}

constexpr KernelRow channel_gradient_rows[] = {
    {"BatchNormalizationGradient", sy::float_dtypes, sy::float_dtypes, make_batch_gradient,
     check_channels_of_gradient, any_strides, "switchyard"},
    {"GroupNormalizationGradient", sy::float_dtypes, sy::float_dtypes, make_group_gradient,
     check_channels_of_gradient, any_strides, "switchyard"},
};

}  // namespace

KernelTable channel_gradient_kernels() { return channel_gradient_rows; }

}  // namespace cpu
