// The normalizations of [N, C, ...] tensors: each shifts and scales channels by some moments.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gemm/long_sums.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "kernels/normalization/moments.hpp"
#include "loops/line_loop.hpp"

namespace cpu {
namespace {

// Runs `function` with a zero of the working type, float or double.
template <typename Function>
void in_working_type(sy_dtype dtype, Function function) {
  if (dtype == SY_FLOAT64) return function(double{});
  function(float{});
}

template <typename W>
W inverse_root(W variance, double epsilon) {
  return static_cast<W>(1 / std::sqrt(static_cast<double>(variance) + epsilon));
}

// One number a channel, as a tensor that broadcasts over [N, C, ...].
template <typename W>
class ChannelNumbers {
 public:
  ChannelNumbers(std::vector<W> numbers, size_t rank) : numbers_(std::move(numbers)) {
    shape_.rank = static_cast<uint32_t>(rank);
    for (size_t i = 0; i < rank; ++i) {
      shape_[i] = i == 1 ? static_cast<int64_t>(numbers_.size()) : 1;
    }
    strides_ = sy::contiguous_strides(shape_);
  }

  std::vector<W>& values() { return numbers_; }
  ConstTensor tensor() const { return {sy::dtype_of<W>, numbers_.data(), shape_, strides_}; }

 private:
  std::vector<W> numbers_;
  sy::Dimensions shape_, strides_;
};

// The bias of (x - centre) * factor where the mean is `rest` more than `centre`. Beside an infinite
// product that is nothing, and its own would not cancel it.
template <typename W>
W shifted(W bias, W rest, W factor) {
  return std::isfinite(factor) ? bias - rest * factor : bias;
}

// output = (input - centre) * factor + bias
void apply(const Loop& affine, Call& call, const ConstTensor& centre, const ConstTensor& factor,
           const ConstTensor& bias) {
  run_elementwise({call.input(0), centre, factor, bias}, call.output(0), affine);
}

uint64_t axes_after_channels(size_t rank) { return all_axes(rank) & ~uint64_t{3}; }
uint64_t axes_but_channels(size_t rank) { return all_axes(rank) & ~uint64_t{2}; }

// ---- InstanceNormalization: moments of each channel of each sample

template <typename W>
void instance_norm(Call& call, double epsilon, const Loop& affine) {
  const ConstTensor& input = call.input(0);
  const std::vector<W> scale = numbers_of<W>(call.input(1)), bias = numbers_of<W>(call.input(2));
  Moments<W> moments = moments_of<W>(input, axes_after_channels(input.rank()));
  std::vector<W>&factor = moments.variance.values(), &shift = moments.rest.values();
  for (size_t i = 0; i < factor.size(); ++i) {
    factor[i] = inverse_root(factor[i], epsilon) * scale[i % scale.size()];
    shift[i] = shifted(bias[i % bias.size()], shift[i], factor[i]);
  }
  apply(affine, call, moments.centre.tensor(), moments.variance.tensor(), moments.rest.tensor());
}

// ---- GroupNormalization: moments of groups of channels

// [N, C, ...] as [N, groups, C / groups, ...].
struct Grouped {
  sy::Dimensions shape, strides;
  ConstTensor tensor;

  Grouped(const ConstTensor& input, int64_t groups) {
    shape.rank = strides.rank = static_cast<uint32_t>(input.rank() + 1);
    for (size_t i = 0; i < shape.rank; ++i) {
      const size_t from = i < 2 ? i : i - 1;
      shape[i] = input.shape[from];
      strides[i] = input.strides[from];
    }
    shape[1] = groups;
    shape[2] = input.shape[1] / groups;
    strides[1] = input.strides[1] * shape[2];
    tensor = {input.dtype, input.data, shape, strides};
  }
  Grouped(const Grouped&) = delete;
  Grouped& operator=(const Grouped&) = delete;
};

template <typename W>
void group_norm(Call& call, int64_t groups, double epsilon, const Loop& affine) {
  const ConstTensor& input = call.input(0);
  const int64_t channels = input.shape[1];
  if (input.size() == 0) return;
  if (groups <= 0 || channels % groups != 0) {
    throw sy::invalid(channels, " channels do not divide into ", groups, " groups");
  }
  const std::vector<W> scale = numbers_of<W>(call.input(1));
  const std::vector<W> bias = numbers_of<W>(call.input(2));
  const Grouped grouped(input, groups);
  const Moments<W> moments = moments_of<W>(grouped.tensor, axes_after_channels(input.rank() + 1));
  const uint64_t axes = axes_after_channels(input.rank());
  LineNumbers<W> centre(input.shape, axes), factor(input.shape, axes), shift(input.shape, axes);
  const int64_t in_group = channels / groups;
  // One scale a channel, or, before version 21, one a group.
  const int64_t scaled_together = channels / static_cast<int64_t>(scale.size());
  for (int64_t i = 0; i < input.shape[0] * channels; ++i) {
    const int64_t c = i % channels;
    const int64_t line = i / channels * groups + c / in_group;
    const W times =
        inverse_root(moments.variance.values()[line], epsilon) * scale[c / scaled_together];
    centre.values()[i] = moments.centre.values()[line];
    factor.values()[i] = times;
    shift.values()[i] = shifted(bias[c / scaled_together], moments.rest.values()[line], times);
  }
  apply(affine, call, centre.tensor(), factor.tensor(), shift.tensor());
}

// ---- BatchNormalization

// What each channel of every sample is shifted and scaled by.
template <typename W>
struct ChannelAffine {
  std::vector<W> centre, factor, bias;

  bool has(int64_t channels) const {
    const auto count = static_cast<size_t>(channels);
    return centre.size() == count && factor.size() == count && bias.size() == count;
  }
};

// True if the elements lie without gaps, the channels of a position side by side and the positions
// in order.
bool has_channels_last(const ConstTensor& tensor) {
  int64_t dense = tensor.shape[1];
  if (tensor.strides[1] != 1) return false;
  for (size_t i = tensor.rank(); i-- > 0;) {
    if (i == 1 || tensor.shape[i] == 1) continue;
    if (tensor.strides[i] != dense) return false;
    dense *= tensor.shape[i];
  }
  return true;
}

// A contiguous matrix, as a Tensor or a ConstTensor.
template <typename Whole>
struct Matrix {
  sy::Dimensions shape, strides;
  Whole tensor;

  Matrix(sy_dtype dtype, decltype(Whole::data) data, int64_t rows, int64_t columns)
      : shape(std::array<int64_t, 2>{rows, columns}),
        strides(sy::contiguous_strides(shape)),
        tensor{dtype, data, shape, strides} {}
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
};

template <typename W>
std::vector<W> repeated(const std::vector<W>& numbers, int64_t times) {
  std::vector<W> made(numbers.size() * static_cast<size_t>(times));
  auto to = std::copy(numbers.begin(), numbers.end(), made.begin());
  while (to != made.end()) {  // twice as many at each turn
    to = std::copy_n(made.begin(), std::min(to - made.begin(), made.end() - to), to);
  }
  return made;
}

// Channels that lie side by side would make rows of a few elements. Several positions make a long
// one if the channels' numbers are repeated for each of them.
template <typename W>
void apply_to_positions(const Loop& affine, Call& call, const ChannelAffine<W>& numbers) {
  constexpr int64_t long_row = 512;  // elements
  const ConstTensor& input = call.input(0);
  const Tensor& output = call.output(0);
  const int64_t channels = input.shape[1];
  const int64_t positions = input.size() / channels;
  const int64_t together = std::clamp<int64_t>(long_row / channels, 1, positions);
  ChannelAffine<W> tiles{repeated(numbers.centre, together), repeated(numbers.factor, together),
                         repeated(numbers.bias, together)};
  const auto run = [&](int64_t first, int64_t rows, int64_t columns) {
    const auto matrix = [&]<typename Whole>(const Whole& tensor) {
      const int64_t offset = first * channels * element_bytes(tensor);
      return Matrix<Whole>(tensor.dtype, bytes_of(tensor) + offset, rows, columns);
    };
    const auto tile = [&](const std::vector<W>& values) {
      return Matrix<ConstTensor>(sy::dtype_of<W>, values.data(), 1, columns);
    };
    const auto x = matrix(input);
    const auto y = matrix(output);
    const auto centre = tile(tiles.centre), factor = tile(tiles.factor), bias = tile(tiles.bias);
    run_elementwise({x.tensor, centre.tensor, factor.tensor, bias.tensor}, y.tensor, affine);
  };
  const int64_t rest = positions % together;
  run(0, positions / together, together * channels);
  if (rest != 0) run(positions - rest, 1, rest * channels);
}

// The mean is `centre`, and `rest` where that lacks something.
template <typename W>
void batch_norm_with(Call& call, std::vector<W> centre_of_channels, const std::vector<W>& rest,
                     std::vector<W> variance, double epsilon, const Loop& affine) {
  const ConstTensor& input = call.input(0);
  const std::vector<W> scale = numbers_of<W>(call.input(1));
  std::vector<W> shift = numbers_of<W>(call.input(2));
  for (size_t c = 0; c < variance.size(); ++c) {
    variance[c] = inverse_root(variance[c], epsilon) * scale[c];
    if (!rest.empty()) shift[c] = shifted(shift[c], rest[c], variance[c]);
  }
  ChannelAffine<W> numbers{std::move(centre_of_channels), std::move(variance), std::move(shift)};
  if (input.size() > 0 && input.shape[1] > 1 && numbers.has(input.shape[1]) &&
      has_channels_last(input) && has_channels_last(call.output(0))) {
    return apply_to_positions(affine, call, numbers);
  }
  const ChannelNumbers<W> centre(std::move(numbers.centre), input.rank());
  const ChannelNumbers<W> factor(std::move(numbers.factor), input.rank());
  const ChannelNumbers<W> bias(std::move(numbers.bias), input.rank());
  apply(affine, call, centre.tensor(), factor.tensor(), bias.tensor());
}

template <typename W>
void batch_norm(Call& call, double epsilon, const Loop& affine) {
  batch_norm_with<W>(call, numbers_of<W>(call.input(3)), {}, numbers_of<W>(call.input(4)), epsilon,
                     affine);
}

// Writes old * momentum + now * (1 - momentum) to an output that may be left out.
template <typename W, typename Now>
void write_running(Call& call, uint32_t output, std::vector<W> old, const std::vector<Now>& now,
                   double momentum) {
  if (!call.has_output(output)) return;
  for (size_t c = 0; c < old.size(); ++c) {
    old[c] = static_cast<W>(static_cast<double>(old[c]) * momentum +
                            static_cast<double>(now[c]) * (1 - momentum));
  }
  write_numbers(old, call.output(output));
}

template <typename W>
void batch_norm_in_training(Call& call, double epsilon, double momentum, const Loop& affine) {
  const ConstTensor& input = call.input(0);
  const Moments<W> moments = moments_of<W>(input, axes_but_channels(input.rank()));
  const std::vector<W>&centre = moments.centre.values(), &rest = moments.rest.values(),
        &variance = moments.variance.values();
  std::vector<double> means(centre.begin(), centre.end());
  for (size_t c = 0; c < means.size(); ++c) means[c] += static_cast<double>(rest[c]);
  write_running(call, 1, numbers_of<W>(call.input(3)), means, momentum);
  write_running(call, 2, numbers_of<W>(call.input(4)), variance, momentum);
  batch_norm_with<W>(call, centre, rest, variance, epsilon, affine);
}

// ---- MeanVarianceNormalization

template <typename W>
void mean_variance_norm(Call& call, std::span<const int64_t> axes, const Loop& affine) {
  constexpr double least_deviation = 1e-9;  // of ONNX's function body
  const ConstTensor& input = call.input(0);
  Moments<W> moments = moments_of<W>(input, axes_mask(axes, input.rank()));
  std::vector<W>&factor = moments.variance.values(), &shift = moments.rest.values();
  for (size_t i = 0; i < factor.size(); ++i) {
    factor[i] = static_cast<W>(1 / (std::sqrt(static_cast<double>(factor[i])) + least_deviation));
    shift[i] *= -factor[i];
  }
  apply(affine, call, moments.centre.tensor(), moments.variance.tensor(), moments.rest.tensor());
}

// ---- LRN: over windows of channels

struct ChannelWindow {
  int64_t size;
  double alpha, beta, bias;

  // x to the power of -beta.
  template <typename W>
  W damped(W x) const {
    if (beta == 0.75) {
      const W root = std::sqrt(x);
      return 1 / (root * std::sqrt(root));
    }
    return std::pow(x, static_cast<W>(-beta));
  }

  template <typename W>
  void run(const W* x, W* y, int64_t count) const {
    if (std::min(size, count) > chained_sums) return run_summing<double>(x, y, count);
    run_summing<W>(x, y, count);
  }

 private:
  template <typename Sum, typename W>
  void run_summing(const W* x, W* y, int64_t count) const {
    const int64_t before = (size - 1) / 2;
    const int64_t after = size - 1 - before;
    const W share = static_cast<W>(alpha / static_cast<double>(size));
    for (int64_t c = 0; c < count; ++c) {
      Sum sum = 0;
      const int64_t last = std::min(count - 1, c + after);
      for (int64_t k = std::max<int64_t>(0, c - before); k <= last; ++k) {
        sum += static_cast<Sum>(x[k]) * static_cast<Sum>(x[k]);
      }
      y[c] = x[c] * damped(static_cast<W>(bias) + share * static_cast<W>(sum));
    }
  }
};

template <typename W>
void local_response_norm(Call& call, const ChannelWindow& window) {
  const ConstTensor& input = call.input(0);
  const Tensor& output = call.output(0);
  const std::array<LineOperand, 2> operands = {LineOperand::whole(input),
                                               LineOperand::whole(output)};
  const LineWalk walk(input.shape, 2, operands);
  for_each_line<W>(
      walk, {&input, &output}, expensive_grain,
      [&](const W* x, W* y, const LineOffsets&, int64_t) { window.run(x, y, walk.length()); });
}

// ---- from nodes

Prepared kernel(Run run, bool may_alias) {
  Prepared made;
  made.outputs = {{.may_alias_inputs = may_alias ? 1u : 0u, .follows_layout = true}};
  made.kernel = function_kernel(std::move(run));
  return made;
}

Prepared make_instance_norm(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  return kernel(
      [dtype, epsilon = node.real("epsilon", 1e-5f), affine = affine_loop(dtype)](Call& call) {
        in_working_type(dtype,
                        [&](auto zero) { instance_norm<decltype(zero)>(call, epsilon, affine); });
      },
      true);
}

Prepared make_group_norm(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const int64_t groups = node.integer("num_groups");
  const double epsilon = node.real("epsilon", 1e-5f);
  return kernel(
      [dtype, groups, epsilon, affine = affine_loop(dtype)](Call& call) {
        in_working_type(
            dtype, [&](auto zero) { group_norm<decltype(zero)>(call, groups, epsilon, affine); });
      },
      true);
}

Prepared make_batch_norm(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const double epsilon = node.real("epsilon", 1e-5f);
  const double momentum = node.real("momentum", 0.9f);
  const bool training = node.flag("training_mode");
  return kernel(
      [=, affine = affine_loop(dtype)](Call& call) {
        in_working_type(dtype, [&](auto zero) {
          using W = decltype(zero);
          if (training) return batch_norm_in_training<W>(call, epsilon, momentum, affine);
          batch_norm<W>(call, epsilon, affine);
        });
      },
      true);
}

Prepared make_mean_variance_norm(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const auto given = node.integers("axes");
  std::vector<int64_t> axes(given.begin(), given.end());
  if (axes.empty()) axes = {0, 2, 3};
  return kernel(
      [dtype, axes, affine = affine_loop(dtype)](Call& call) {
        in_working_type(dtype,
                        [&](auto zero) { mean_variance_norm<decltype(zero)>(call, axes, affine); });
      },
      true);
}

Prepared make_lrn(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const ChannelWindow window{node.integer("size"), node.real("alpha", 1e-4f),
                             node.real("beta", 0.75f), node.real("bias", 1.0f)};
  return kernel(
      [dtype, window](Call& call) {
        in_working_type(dtype,
                        [&](auto zero) { local_response_norm<decltype(zero)>(call, window); });
      },
      false);
}

// Scales and moments are vectors, so that the row's ranks cannot tell the input's.
void check_channels(const sy::Node& node) {
  const sy_value& input = node.required_input(0);
  if (sy::has_rank(input) && input.rank < 2) {
    throw sy::unsupported(SY_REASON_RANK, "input 0 has rank ", input.rank, ", so no channels");
  }
}

constexpr KernelRow normalization_rows[] = {
    {"InstanceNormalization", float_types, float_types, make_instance_norm, check_channels,
     any_strides},
    {"GroupNormalization", float_types, float_types, make_group_norm, check_channels, any_strides},
    {"BatchNormalization", float_types, float_types, make_batch_norm, check_channels, any_strides},
    {"MeanVarianceNormalization", float_types, float_types, make_mean_variance_norm, nullptr,
     any_strides},
    {"LRN", float_types, float_types, make_lrn, nullptr, any_strides, "", 1, UINT32_MAX, 2},
};

}  // namespace

KernelTable normalization_kernels() { return normalization_rows; }

}  // namespace cpu
