// Window functions and MelWeightMatrix: small tables made of a few numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/lines.hpp"
#include "loops/numbers.hpp"

namespace cpu {
namespace {

// a - b cos(2 pi n / N) + c cos(4 pi n / N)
struct Cosines {
  double a, b, c;
};

Cosines cosines_of(std::string_view op) {
  if (op == "HannWindow") return {0.5, 0.5, 0};
  if (op == "HammingWindow") return {25.0 / 46, 1 - 25.0 / 46, 0};
  return {0.42, 0.5, 0.08};  // BlackmanWindow
}

Prepared make_window(const sy::Node& node) {
  const Cosines window = cosines_of(node.op());
  const bool periodic = node.flag("periodic", true);
  Prepared made;
  made.kernel = function_kernel([window, periodic](Call& call) {
    const int64_t size = call.output(0).size();
    const double period = static_cast<double>(periodic ? size : size - 1);
    std::vector<double> numbers;
    for (int64_t n = 0; n < size; ++n) {
      const double angle = period == 0 ? 0 : 2 * std::numbers::pi * static_cast<double>(n) / period;
      numbers.push_back(window.a - window.b * std::cos(angle) + window.c * std::cos(2 * angle));
    }
    write_numbers(numbers, call.output(0));
  });
  return made;
}

// ---- MelWeightMatrix: triangles between neighbouring positions of the mel scale, in whole bins

double to_mel(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double from_mel(double mel) { return 700 * (std::pow(10.0, mel / 2595) - 1); }

double number_at(Call& call, uint32_t input) { return numbers_of<double>(call.input(input)).at(0); }

// The bins where the triangles begin, peak and end: bands + 2 of them.
std::vector<int64_t> corners(int64_t bands, int64_t length, double rate, double low, double high) {
  const double first = to_mel(low);
  const double step = (to_mel(high) - first) / static_cast<double>(bands + 2);
  std::vector<int64_t> made;
  for (int64_t i = 0; i < bands + 2; ++i) {
    const double hertz = from_mel(first + static_cast<double>(i) * step);
    const double bin = std::floor((static_cast<double>(length) + 1) * hertz / rate);
    made.push_back(std::isnan(bin) ? 0 : static_cast<int64_t>(std::clamp(bin, -1e15, 1e15)));
  }
  return made;
}

Prepared make_mel(const sy::Node&) {
  Prepared made;
  made.kernel = function_kernel([](Call& call) {
    const Tensor& output = call.output(0);
    const int64_t bins = output.shape[0];
    const int64_t bands = output.shape[1];
    const auto length = static_cast<int64_t>(number_at(call, 1));
    const std::vector<int64_t> corner =
        corners(bands, length, number_at(call, 2), number_at(call, 3), number_at(call, 4));
    std::vector<double> weights(static_cast<size_t>(output.size()), 0);
    for (int64_t band = 0; band < bands; ++band) {
      const int64_t begin = corner[band], peak = corner[band + 1], end = corner[band + 2];
      const auto weight = [&](int64_t bin) -> double& { return weights[bin * bands + band]; };
      if (peak == begin && peak >= 0 && peak < bins) weight(peak) = 1;
      for (int64_t bin = std::max<int64_t>(begin, 0); bin < std::min(peak + 1, bins); ++bin) {
        if (peak != begin) {
          weight(bin) = static_cast<double>(bin - begin) / static_cast<double>(peak - begin);
        }
      }
      for (int64_t bin = std::max<int64_t>(peak, 0); bin < std::min(end, bins); ++bin) {
        if (end != peak) {
          weight(bin) = static_cast<double>(end - bin) / static_cast<double>(end - peak);
        }
      }
    }
    write_numbers(weights, output);
  });
  return made;
}

constexpr KernelRow window_rows[] = {
    {"HannWindow", numeric_types, numeric_types, make_window, nullptr, any_strides},
    {"HammingWindow", numeric_types, numeric_types, make_window, nullptr, any_strides},
    {"BlackmanWindow", numeric_types, numeric_types, make_window, nullptr, any_strides},
    {"MelWeightMatrix", numeric_types, numeric_types, make_mel, nullptr, any_strides},
};

}  // namespace

KernelTable window_kernels() { return window_rows; }

}  // namespace cpu
