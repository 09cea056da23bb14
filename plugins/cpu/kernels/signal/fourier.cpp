#include "kernels/signal/fourier.hpp"

#include <numbers>
#include <utility>

namespace cpu {
namespace {

bool is_power_of_two(int64_t number) { return (number & (number - 1)) == 0; }

}  // namespace

Fourier::Fourier(int64_t length) : length_(length) {
  if (is_power_of_two(length)) {
    for (int64_t k = 0; k < length / 2; ++k) {
      roots_.push_back(std::polar(
          1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length)));
    }
    reversed_.assign(static_cast<size_t>(length), 0);
    for (int64_t i = 1; i < length; ++i) {
      reversed_[i] = reversed_[i / 2] / 2 + (i % 2 == 1 ? length / 2 : 0);
    }
    return;
  }
  int64_t size = 1;
  while (size < 2 * length - 1) size *= 2;
  padded_.emplace_back(size);
  chirp_spectrum_.assign(static_cast<size_t>(size), 0);
  for (int64_t k = 0; k < length; ++k) {
    const int64_t square = k * k % (2 * length);  // exact, where k^2 / n would lose digits
    chirps_.push_back(std::polar(
        1.0, -std::numbers::pi * static_cast<double>(square) / static_cast<double>(length)));
    chirp_spectrum_[k] = std::conj(chirps_[k]);
    if (k > 0) chirp_spectrum_[size - k] = std::conj(chirps_[k]);
  }
  padded_[0].forward(chirp_spectrum_.data());
}

void Fourier::transform(Number* numbers, bool inverse) const {
  if (!inverse) return forward(numbers);
  for (int64_t i = 0; i < length_; ++i) numbers[i] = std::conj(numbers[i]);
  forward(numbers);
  const double share = 1.0 / static_cast<double>(length_);
  for (int64_t i = 0; i < length_; ++i) numbers[i] = std::conj(numbers[i]) * share;
}

void Fourier::forward(Number* numbers) const {
  if (padded_.empty()) {
    by_halves(numbers);
  } else {
    by_chirps(numbers);
  }
}

// Products are written out: operator* of std::complex looks after infinities first.
void Fourier::by_halves(Number* numbers) const {
  for (int64_t i = 0; i < length_; ++i) {
    if (i < reversed_[i]) std::swap(numbers[i], numbers[reversed_[i]]);
  }
  for (int64_t half = 1; half < length_; half *= 2) {
    const int64_t step = length_ / (2 * half);
    for (int64_t start = 0; start < length_; start += 2 * half) {
      for (int64_t k = 0; k < half; ++k) {
        const Number root = roots_[k * step];
        const Number odd = numbers[start + half + k];
        const Number turned(odd.real() * root.real() - odd.imag() * root.imag(),
                            odd.real() * root.imag() + odd.imag() * root.real());
        const Number even = numbers[start + k];
        numbers[start + k] = even + turned;
        numbers[start + half + k] = even - turned;
      }
    }
  }
}

void Fourier::by_chirps(Number* numbers) const {
  const Fourier& padded = padded_[0];
  std::vector<Number> work(static_cast<size_t>(padded.length_), 0);
  for (int64_t k = 0; k < length_; ++k) work[k] = numbers[k] * chirps_[k];
  padded.forward(work.data());
  for (int64_t i = 0; i < padded.length_; ++i) work[i] *= chirp_spectrum_[i];
  padded.transform(work.data(), true);
  for (int64_t k = 0; k < length_; ++k) numbers[k] = work[k] * chirps_[k];
}

}  // namespace cpu
