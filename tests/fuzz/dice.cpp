#include "dice.hpp"

#include <array>
#include <limits>

namespace switchyard::fuzz {

std::int64_t telling_integer(Dice& dice) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t one = 1;
  constexpr std::array<std::int64_t, 16> far = {most,      -most - 1,       most - 1,     -most,
                                                one << 31, (one << 31) - 1, -(one << 31), one << 32,
                                                one << 33, one << 62,       one << 20,    one << 16,
                                                one << 10, -1000,           255,          256};
  if (dice.one_in(4)) return dice.pick(far);
  return static_cast<std::int64_t>(dice.below(12)) - 4;
}

std::int64_t telling_extent(Dice& dice) {
  if (dice.one_in(40)) return telling_integer(dice);
  constexpr std::array<std::int64_t, 14> near = {0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 16, 17, 33};
  return dice.pick(near);
}

float telling_float(Dice& dice) {
  using Limits = std::numeric_limits<float>;
  constexpr std::array<float, 16> values = {0,
                                            -0.0F,
                                            1,
                                            -1,
                                            0.5F,
                                            2,
                                            3,
                                            1e-6F,
                                            -1e30F,
                                            1e30F,
                                            255,
                                            300,
                                            Limits::max(),
                                            Limits::infinity(),
                                            -Limits::infinity(),
                                            Limits::quiet_NaN()};
  return dice.pick(values);
}

std::string telling_text(Dice& dice) {
  constexpr std::array<const char*, 24> texts = {"",
                                                 "linear",
                                                 "cubic",
                                                 "nearest",
                                                 "constant",
                                                 "reflect",
                                                 "edge",
                                                 "wrap",
                                                 "forward",
                                                 "reverse",
                                                 "bidirectional",
                                                 "sum",
                                                 "mean",
                                                 "none",
                                                 "add",
                                                 "mul",
                                                 "min",
                                                 "max",
                                                 "SAME_UPPER",
                                                 "VALID",
                                                 "align_corners",
                                                 "tf_crop_and_resize",
                                                 "Tanh",
                                                 "ij,jk->ik"};
  return dice.pick(texts);
}

}  // namespace switchyard::fuzz
