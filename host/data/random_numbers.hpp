#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace switchyard {

/// SplitMix64 of Steele, Lea and Flood: a few lines that give the same numbers everywhere, which
/// the standard library's distributions do not.
class RandomNumbers {
 public:
  RandomNumbers(std::uint64_t seed, std::uint64_t epoch) : state_(mixed(mixed(seed) + epoch)) {}

  /// From 0 to `bound` - 1, each as likely as the others.
  std::uint64_t below(std::uint64_t bound) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t fair = kMost - kMost % bound;
    std::uint64_t number = next();
    while (number >= fair) number = next();
    return number % bound;
  }

  /// In [0, 1), of 53 bits.
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  void shuffle(std::vector<std::int64_t>& numbers) {
    for (std::size_t left = numbers.size(); left > 1; --left) {
      std::swap(numbers[left - 1], numbers[below(left)]);
    }
  }

 private:
  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15); }
  static std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return bits ^ bits >> 31;
  }

  std::uint64_t state_;
};

}  // namespace switchyard
