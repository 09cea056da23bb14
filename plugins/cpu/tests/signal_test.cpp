#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"

namespace cpu::testing {
namespace {

using Number = std::complex<double>;

std::vector<double> wave(int64_t count) {
  std::vector<double> made;
  for (int64_t i = 0; i < count; ++i) made.push_back(static_cast<double>(i * 37 % 101) * 0.02 - 1);
  return made;
}

// By the definition, with zeros past the end of `x`.
std::vector<Number> transform(const std::vector<Number>& x, int64_t length, bool inverse) {
  std::vector<Number> made;
  for (int64_t k = 0; k < length; ++k) {
    Number sum = 0;
    for (int64_t n = 0; n < std::min<int64_t>(length, static_cast<int64_t>(x.size())); ++n) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(n * k % length) / static_cast<double>(length);
      sum += x[n] * std::polar(1.0, inverse ? angle : -angle);
    }
    made.push_back(inverse ? sum / static_cast<double>(length) : sum);
  }
  return made;
}

std::vector<double> parts_of(const std::vector<Number>& numbers, size_t count) {
  std::vector<double> made;
  for (size_t i = 0; i < count; ++i) {
    made.push_back(numbers[i].real());
    made.push_back(numbers[i].imag());
  }
  return made;
}

Value scalar(int64_t number) { return value<int64_t>({}, {number}); }

TEST(Dft, EveryLengthAgainstTheDefinition) {
  for (const int64_t length : {1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 100, 128}) {
    const std::vector<double> signal = wave(length);
    const std::vector<Number> x(signal.begin(), signal.end());
    const Value input = from_doubles(SY_FLOAT64, {1, length, 1}, signal);
    const std::vector<Number> spectrum = transform(x, length, false);
    const Value whole = OneNode("DFT", 20)
                            .input(input)
                            .absent_input()
                            .host_input(scalar(1))
                            .output(SY_FLOAT64, {1, length, 2})
                            .run();
    expect_near(whole, parts_of(spectrum, static_cast<size_t>(length)), 0, 1e-12);
    const int64_t half = length / 2 + 1;
    expect_near(OneNode("DFT", 20)
                    .attribute("onesided", 1)
                    .input(input)
                    .absent_input()
                    .host_input(scalar(-2))
                    .output(SY_FLOAT64, {1, half, 2})
                    .run(),
                parts_of(spectrum, static_cast<size_t>(half)), 0, 1e-12);
    const Value back = OneNode("DFT", 20)
                           .attribute("inverse", 1)
                           .input(whole)
                           .absent_input()
                           .host_input(scalar(1))
                           .output(SY_FLOAT64, {1, length, 2})
                           .run();
    expect_near(back, parts_of(x, x.size()), 0, 1e-13);
  }
}

TEST(Dft, InverseOfHalfASpectrumIsReal) {
  for (const int64_t length : {6, 8, 9}) {
    const std::vector<double> signal = wave(length);
    const std::vector<Number> x(signal.begin(), signal.end());
    const auto half = static_cast<size_t>(length / 2 + 1);
    const Value spectrum = from_doubles(SY_FLOAT64, {1, static_cast<int64_t>(half), 2},
                                        parts_of(transform(x, length, false), half));
    expect_near(OneNode("DFT", 20)
                    .attribute("inverse", 1)
                    .attribute("onesided", 1)
                    .input(spectrum)
                    .host_input(scalar(length))
                    .host_input(scalar(1))
                    .output(SY_FLOAT64, {1, length, 1})
                    .run(),
                signal, 0, 1e-13);
  }
}

TEST(Dft, AnyAxisLayoutLengthAndType) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16}) {
    const Value plain = from_doubles(dtype, {2, 6, 3, 2}, wave(72));
    const std::vector<double> x = as_doubles(plain);
    for (const int64_t length : {6, 4, 9}) {
      std::vector<double> expected(static_cast<size_t>(2 * length * 3 * 2));
      for (int64_t outer = 0; outer < 2; ++outer) {
        for (int64_t inner = 0; inner < 3; ++inner) {
          std::vector<Number> line;
          for (int64_t k = 0; k < 6; ++k) {
            const auto at = static_cast<size_t>(((outer * 6 + k) * 3 + inner) * 2);
            line.emplace_back(x[at], x[at + 1]);
          }
          const auto made = transform(line, length, false);
          for (int64_t k = 0; k < length; ++k) {
            const auto at = static_cast<size_t>(((outer * length + k) * 3 + inner) * 2);
            expected[at] = made[k].real();
            expected[at + 1] = made[k].imag();
          }
        }
      }
      for (const Value& input : layouts_of(plain)) {
        expect_near(OneNode("DFT", 20)
                        .input(input)
                        .host_input(scalar(length))
                        .host_input(scalar(1))
                        .output(dtype, {2, length, 3, 2})
                        .run(),
                    expected, 1, dtype == SY_FLOAT64 ? 1e-12 : 1e-6);
      }
    }
  }
}

TEST(Stft, FramesWindowsAndSides) {
  const std::vector<double> signal = wave(2 * 50);
  const std::vector<double> window = wave(16);
  for (const bool onesided : {true, false}) {
    const int64_t bins = onesided ? 9 : 16;
    std::vector<double> expected;
    for (int64_t batch = 0; batch < 2; ++batch) {
      for (int64_t frame = 0; frame < 5; ++frame) {
        std::vector<Number> x;
        for (int64_t k = 0; k < 16; ++k)
          x.emplace_back(signal[batch * 50 + frame * 8 + k] * window[k]);
        const auto part = parts_of(transform(x, 16, false), static_cast<size_t>(bins));
        expected.insert(expected.end(), part.begin(), part.end());
      }
    }
    const Value input = from_doubles(SY_FLOAT64, {2, 50, 1}, signal);
    for (const Value& layout : layouts_of(input)) {
      expect_near(OneNode("STFT", 17)
                      .attribute("onesided", onesided ? 1 : 0)
                      .input(layout)
                      .host_input(scalar(8))
                      .input(from_doubles(SY_FLOAT64, {16}, window))
                      .host_input(scalar(16))
                      .output(SY_FLOAT64, {2, 5, bins, 2})
                      .run(),
                  expected, 0, 1e-12);
    }
  }
  const Value ones = from_doubles(SY_FLOAT32, {1, 4, 1}, {1, 1, 1, 1});
  expect_near(OneNode("STFT", 17)
                  .attribute("onesided", 1)
                  .input(ones)
                  .host_input(scalar(2))
                  .absent_input()
                  .host_input(scalar(2))
                  .output(SY_FLOAT32, {1, 2, 2, 2})
                  .run(),
              {2, 0, 0, 0, 2, 0, 0, 0}, 0);
}

TEST(Windows, TheirFormulas) {
  const auto run = [](const char* op, int periodic, int64_t size, sy_dtype dtype = SY_FLOAT32) {
    return OneNode(op, 17)
        .attribute("periodic", periodic)
        .host_input(scalar(size))
        .output(dtype, {size})
        .run();
  };
  const auto cosine = [](int64_t n, double period) {
    return std::cos(2 * std::numbers::pi * static_cast<double>(n) / period);
  };
  for (const int periodic : {0, 1}) {
    const double period = periodic == 1 ? 10 : 9;
    std::vector<double> hann, hamming, blackman;
    for (int64_t n = 0; n < 10; ++n) {
      const double c = cosine(n, period);
      hann.push_back(0.5 - 0.5 * c);
      hamming.push_back(25.0 / 46 - (1 - 25.0 / 46) * c);
      blackman.push_back(0.42 - 0.5 * c + 0.08 * (2 * c * c - 1));
    }
    expect_near(run("HannWindow", periodic, 10), hann, 1, 1e-8);
    expect_near(run("HammingWindow", periodic, 10), hamming, 1, 1e-8);
    expect_near(run("BlackmanWindow", periodic, 10, SY_FLOAT64), blackman, 8, 1e-15);
  }
  EXPECT_EQ(run("HannWindow", 1, 0).size(), 0);
}

// From ONNX's own example.
TEST(MelWeightMatrix, OnnxExample) {
  const Value output = OneNode("MelWeightMatrix", 17)
                           .host_input(scalar(8))
                           .host_input(scalar(16))
                           .input(scalar(8192))
                           .input(value<float>({}, {0}))
                           .input(value<float>({}, {8192 / 2}))
                           .output(SY_FLOAT32, {9, 8})
                           .run();
  expect_near(output, {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                       0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1,
                       0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
              0);
}

}  // namespace
}  // namespace cpu::testing
