// DFT and STFT, in double.
#include <algorithm>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/signal/fourier.hpp"
#include "loops/lines.hpp"
#include "loops/numbers.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

using Number = Fourier::Number;

int64_t optional_integer(Call& call, uint32_t input, int64_t otherwise) {
  return call.has_input(input) ? integers_of(call.input(input)).at(0) : otherwise;
}

// ---- DFT of [..., length, ..., 1 or 2] along an axis

struct Transform {
  bool inverse, onesided;
  int64_t outer, inner;           // lines before and after the axis
  int64_t in_extent, out_extent;  // along it
  int64_t in_parts, out_parts;    // 1: real, 2: complex
  int64_t length;

  int64_t in_place(int64_t line, int64_t k) const {
    return ((line / inner * in_extent + k) * inner + line % inner) * in_parts;
  }
  int64_t out_position(int64_t line, int64_t k) const {
    return ((line / inner * out_extent + k) * inner + line % inner) * out_parts;
  }

  void read(const std::vector<double>& input, int64_t line, Number* numbers) const {
    std::fill_n(numbers, length, Number(0));
    for (int64_t k = 0; k < std::min(length, in_extent); ++k) {
      const double* at = input.data() + in_place(line, k);
      numbers[k] = Number(at[0], in_parts == 2 ? at[1] : 0);
    }
    if (!inverse || !onesided) return;
    // The other half of a real signal's spectrum mirrors the first.
    for (int64_t k = length / 2 + 1; k < length; ++k) numbers[k] = std::conj(numbers[length - k]);
  }

  void write(const Number* numbers, int64_t line, std::vector<double>& output) const {
    for (int64_t k = 0; k < out_extent; ++k) {
      double* at = output.data() + out_position(line, k);
      at[0] = numbers[k].real();
      if (out_parts == 2) at[1] = numbers[k].imag();
    }
  }
};

Transform transform_of(Call& call, bool inverse, bool onesided) {
  const sy::Extents in = call.input(0).shape;
  const sy::Extents out = call.output(0).shape;
  const auto rank = static_cast<int64_t>(in.size());
  const size_t position = sy::normalize_axis(optional_integer(call, 2, -2), in.size());
  const auto axis = static_cast<int64_t>(position);
  if (axis == rank - 1) throw sy::invalid("the axis of DFT is that of real and imaginary parts");
  Transform made{inverse, onesided, 1, 1, in[position], out[position], in.back(), out.back(), 0};
  for (int64_t i = 0; i < axis; ++i) made.outer *= in[i];
  for (int64_t i = axis + 1; i + 1 < rank; ++i) made.inner *= in[i];
  const int64_t natural = inverse && onesided ? 2 * (in[position] - 1) : in[position];
  made.length = optional_integer(call, 1, natural);
  return made;
}

Prepared make_dft(const sy::Node& node) {
  const bool inverse = node.flag("inverse");
  const bool onesided = node.flag("onesided");
  Prepared made;
  made.kernel = function_kernel([inverse, onesided](Call& call) {
    if (call.output(0).size() == 0) return;
    const Transform transform = transform_of(call, inverse, onesided);
    if (transform.length < 1) throw sy::invalid("a signal of ", transform.length, " elements");
    const Fourier fourier(transform.length);
    const std::vector<double> input = numbers_of<double>(call.input(0));
    std::vector<double> output(static_cast<size_t>(call.output(0).size()));
    const int64_t lines = transform.outer * transform.inner;
    const int64_t grain = std::max<int64_t>(1, 1024 / transform.length);
    parallel_for(lines, grain, [&](int64_t begin, int64_t end) {
      std::vector<Number> numbers(static_cast<size_t>(transform.length));
      for (int64_t line = begin; line < end; ++line) {
        transform.read(input, line, numbers.data());
        fourier.transform(numbers.data(), inverse);
        transform.write(numbers.data(), line, output);
      }
    });
    write_numbers(output, call.output(0));
  });
  return made;
}

// ---- STFT of [batch, length] or [batch, length, 1 or 2] into [batch, frames, bins, 2]

struct Frames {
  int64_t signal_length, parts, frame_length, step, count, bins;
  std::vector<double> window;

  void run(const Fourier& fourier, const double* signal, int64_t frame, Number* numbers,
           double* output) const {
    for (int64_t k = 0; k < frame_length; ++k) {
      const double* at = signal + (frame * step + k) * parts;
      numbers[k] = Number(at[0], parts == 2 ? at[1] : 0) * window[k];
    }
    fourier.transform(numbers, false);
    for (int64_t k = 0; k < bins; ++k) {
      output[2 * k] = numbers[k].real();
      output[2 * k + 1] = numbers[k].imag();
    }
  }
};

Frames frames_of(Call& call) {
  const ConstTensor& signal = call.input(0);
  const Tensor& output = call.output(0);
  Frames frames{};
  frames.signal_length = signal.shape[1];
  frames.parts = signal.rank() == 3 ? signal.shape[2] : 1;
  frames.step = optional_integer(call, 1, 1);
  if (call.has_input(2)) frames.window = numbers_of<double>(call.input(2));
  frames.frame_length = optional_integer(call, 3, static_cast<int64_t>(frames.window.size()));
  if (!call.has_input(2)) frames.window.assign(static_cast<size_t>(frames.frame_length), 1.0);
  if (static_cast<int64_t>(frames.window.size()) != frames.frame_length) {
    throw sy::invalid("a window of ", frames.window.size(), " does not fit frames of ",
                      frames.frame_length);
  }
  if (frames.frame_length < 1 || frames.step < 1) {
    throw sy::invalid("frames of ", frames.frame_length, " at steps of ", frames.step);
  }
  frames.count = output.shape[1];
  frames.bins = output.shape[2];
  if ((frames.count - 1) * frames.step + frames.frame_length > frames.signal_length) {
    throw sy::invalid(frames.count, " frames do not fit a signal of ", frames.signal_length);
  }
  return frames;
}

Prepared make_stft(const sy::Node&) {
  Prepared made;
  made.kernel = function_kernel([](Call& call) {
    const Tensor& output = call.output(0);
    if (output.size() == 0) return;
    const Frames frames = frames_of(call);
    const Fourier fourier(frames.frame_length);
    const std::vector<double> signal = numbers_of<double>(call.input(0));
    std::vector<double> spectra(static_cast<size_t>(output.size()));
    const int64_t total = output.shape[0] * frames.count;
    const int64_t grain = std::max<int64_t>(1, 1024 / frames.frame_length);
    parallel_for(total, grain, [&](int64_t begin, int64_t end) {
      std::vector<Number> numbers(static_cast<size_t>(frames.frame_length));
      for (int64_t i = begin; i < end; ++i) {
        const double* at = signal.data() + i / frames.count * frames.signal_length * frames.parts;
        frames.run(fourier, at, i % frames.count, numbers.data(),
                   spectra.data() + i * frames.bins * 2);
      }
    });
    write_numbers(spectra, output);
  });
  return made;
}

constexpr KernelRow signal_rows[] = {
    {"DFT", float_types, float_types, make_dft, nullptr, any_strides},
    {"STFT", float_types, float_types, make_stft, nullptr, any_strides},
};

}  // namespace

KernelTable signal_kernels() { return signal_rows; }

}  // namespace cpu
