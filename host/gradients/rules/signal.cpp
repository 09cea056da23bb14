// Gradients of Fourier transforms: linear maps, whose transposed map is a transform the other way.
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kDft("DFT");

std::int64_t integer(const Tensor& number) {
  return number.to(DType::int64).to_vector<std::int64_t>()[0];
}

Tensor transformed(const Tensor& x, std::int64_t axis, bool inverse, bool onesided) {
  return kDft({x, {}, int64_scalar(axis)}, attributes({{"inverse", std::int64_t{inverse}},
                                                       {"onesided", std::int64_t{onesided}}}));
}

/// `extent` elements of a dimension: the first ones, or all and zeros behind.
Tensor resized(const Tensor& x, std::int64_t axis, std::int64_t extent) {
  const std::int64_t more = extent - x.size(axis);
  if (more == 0) return x;
  if (more < 0) return narrow(x, axis, 0, extent);
  Dims shape = x.shape();
  shape[static_cast<std::size_t>(axis)] = more;
  return cat({x, x.new_full(shape, 0)}, axis);
}

/// Back through a transform of `length`: the spectrum's numbers, turned the other way, added up.
Tensor back_to_signal(const Tensor& g, std::int64_t axis, std::int64_t length) {
  const Tensor whole = resized(g, axis, length);
  return mul(transformed(whole, axis, true, false), static_cast<double>(length));
}

/// Numbers of the half spectrum count twice, but for those that have no mirror image.
Tensor mirrored(std::int64_t length, const Tensor& like) {
  std::vector<double> counts(static_cast<std::size_t>(length / 2 + 1), 2.0);
  counts[0] = 1;
  if (length % 2 == 0) counts.back() = 1;
  return place(host_tensor({length / 2 + 1}, counts), options_like(like));
}

Tensor back_to_spectrum(const Tensor& g, std::int64_t axis, std::int64_t length, bool onesided) {
  const Tensor spectrum = transformed(g, axis, false, onesided);
  const double share = 1 / static_cast<double>(length);
  if (!onesided) return mul(spectrum, share);
  Dims along = Dims::filled(spectrum.shape().size(), 1);
  along[static_cast<std::size_t>(axis)] = spectrum.size(axis);
  return mul(spectrum, mul(reshape(mirrored(length, g), along), share));
}

/// Real numbers have one component, complex ones two.
Tensor components(const Tensor& x, std::int64_t count) { return narrow(x, -1, 0, count); }

void dft_rule(Backward& step) {
  const Tensor g = step.grad_output();
  const bool inverse = step.attributes().get_int("inverse", 0) != 0;
  const bool onesided = step.attributes().get_int("onesided", 0) != 0;
  std::int64_t axis = step.has_input(2) ? integer(step.input(2)) : -2;
  if (axis < 0) axis += g.dim();
  const Dims& x = step.input_shape(0);
  const std::int64_t extent = x[static_cast<std::size_t>(axis)];
  const std::int64_t length = inverse || !onesided ? g.size(axis)
                              : step.has_input(1)  ? integer(step.input(1))
                                                   : extent;
  const Tensor back =
      inverse ? back_to_spectrum(g, axis, length, onesided) : back_to_signal(g, axis, length);
  step.set_grad_input(0, resized(components(back, x.back()), axis, extent));
}

/// Frames overlap: what an element gets from each of them is added up.
void stft_rule(Backward& step) {
  const Dims& signal = step.input_shape(0);
  const std::int64_t count = signal.size() == 3 ? signal[2] : 1;
  const std::int64_t frame_step = integer(step.input(1));
  const bool has_window = step.has_input(2);
  const std::int64_t length = has_window ? step.input_shape(2)[0] : integer(step.input(3));
  const Tensor g = step.grad_output();
  const std::int64_t frames = g.size(1);
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < frames * length; ++i) {
    positions.push_back(i / length * frame_step + i % length);
  }
  const Tensor where_from = host_tensor({frames * length}, positions);
  const Dims framed{signal[0], frames, length, count};
  const Tensor of_frames = components(back_to_signal(g, 2, length), count);
  const Tensor window = has_window ? reshape(step.input(2), {length, 1}) : Tensor();
  if (step.needs_input_grad(0)) {
    const Tensor shares = has_window ? mul(of_frames, window) : of_frames;
    const Tensor added = add_slices(g.new_full({signal[0], signal[1], count}, 0), 1, where_from,
                                    reshape(shares, {signal[0], frames * length, count}));
    step.set_grad_input(0, reshape(added, signal));
  }
  if (has_window && step.needs_input_grad(2)) {
    const Tensor x = reshape(step.input(0), {signal[0], signal[1], count});
    const Tensor seen = reshape(select_slices(x, 1, where_from), framed);
    step.set_grad_input(2, sum(mul(of_frames, seen), Dims{0, 1, 3}));
  }
}

constexpr RuleRow kSignalRules[] = {
    {"DFT", dft_rule, saves(1, 2)},
    {"STFT", stft_rule, saves(0, 1, 2, 3)},
};

}  // namespace

std::span<const RuleRow> signal_rules() { return kSignalRules; }

}  // namespace switchyard
