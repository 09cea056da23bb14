#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace switchyard::fuzz {

/// Random choices that follow from a seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}

  std::uint64_t next() {  // SplitMix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// From 0 to limit - 1; 0 for a limit of 0.
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : next() % limit; }
  bool one_in(std::size_t chances) { return below(chances) == 0; }
  template <typename List>
  decltype(auto) pick(List& list) {
    return list[static_cast<int>(below(static_cast<std::size_t>(list.size())))];
  }

 private:
  std::uint64_t state_;
};

/// Numbers near the limits of what is legal: extents, axes, counts and sizes.
std::int64_t telling_integer(Dice& dice);
/// Mostly small, so that models that run stay fast.
std::int64_t telling_extent(Dice& dice);
float telling_float(Dice& dice);
/// Words that attributes know: modes, directions, activations.
std::string telling_text(Dice& dice);

}  // namespace switchyard::fuzz
