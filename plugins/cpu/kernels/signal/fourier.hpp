// The discrete Fourier transform of one length, in double.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace cpu {

// Tables for a length of at least 1, which any threads may share: n log n for every length,
// directly for powers of two and by Bluestein's way for the rest.
class Fourier {
 public:
  using Number = std::complex<double>;

  explicit Fourier(int64_t length);

  // Transforms `length` numbers in place; the inverse is divided by the length.
  void transform(Number* numbers, bool inverse) const;

 private:
  void forward(Number* numbers) const;
  void by_halves(Number* numbers) const;
  void by_chirps(Number* numbers) const;

  int64_t length_;
  std::vector<Number> roots_;           // powers of two: the first half of the unit roots
  std::vector<int64_t> reversed_;       // powers of two: indices with their bits in reverse
  std::vector<Number> chirps_;          // others: exp(-i pi k^2 / n)
  std::vector<Number> chirp_spectrum_;  // others: the transform of their padded conjugates
  std::vector<Fourier> padded_;         // others: one transform of a power of two
};

}  // namespace cpu
