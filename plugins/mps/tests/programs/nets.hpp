// Parts of nets that models are made of.
#pragma once

#include <limits>

#include "model.hpp"

namespace mps::program_tests {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr double float_tolerance = 2e-5;
inline constexpr double half_tolerance = 4e-3;

inline const OpenDevice& device() {
  static const OpenDevice opened;
  return opened;
}

// Elements of a type that tests are written for.
template <typename T>
std::vector<T> elements(const Shape& shape, uint32_t seed = 1, float scale = 1) {
  std::vector<T> made;
  for (const float number : numbers(shape, seed)) made.emplace_back(number * scale);
  return made;
}

// A node that no graph holds.
inline Id cumulated(Model& model, Id x, const Shape& shape, int64_t axis = 0) {
  return model.node("CumSum", {x, model.host({axis})}, shape, {{"exclusive", 0}, {"reverse", 0}});
}

// A convolution of 3 x 3 with a bias, from [n, in, h, w] to [n, out, h, w].
template <typename T>
Id convolved(Model& model, Id x, const Shape& shape, int64_t out, uint32_t seed) {
  const Id weights =
      model.constant(Shape{out, shape[1], 3, 3}, elements<T>({out, shape[1], 3, 3}, seed, 0.2f));
  const Id bias = model.constant(Shape{out}, elements<T>({out}, seed + 1));
  return model.node("Conv", {x, weights, bias}, {shape[0], out, shape[2], shape[3]},
                    {{"kernel_shape", std::vector<int64_t>{3, 3}},
                     {"pads", std::vector<int64_t>{1, 1, 1, 1}},
                     {"strides", std::vector<int64_t>{1, 1}},
                     {"dilations", std::vector<int64_t>{1, 1}},
                     {"group", 1}});
}

template <typename T>
Id normalized(Model& model, Id x, const Shape& shape, uint32_t seed) {
  const Shape channels{shape[1]};
  std::vector<T> variance;
  for (const float number : numbers(channels, seed + 3)) variance.emplace_back(number * number + 1);
  return model.node("BatchNormalization",
                    {x, model.constant(channels, elements<T>(channels, seed)),
                     model.constant(channels, elements<T>(channels, seed + 1)),
                     model.constant(channels, elements<T>(channels, seed + 2)),
                     model.constant(channels, variance)},
                    shape, {{"epsilon", 1e-5f}, {"momentum", 0.9f}, {"training_mode", 0}});
}

// softmax(q k^T / sqrt(d) + mask) v, of [n, length, heads * d].
template <typename T>
Id attention(Model& model, Id q, Id k, Id v, Id mask, int64_t n, int64_t length, int64_t heads,
             int64_t d) {
  const auto split = [&](Id x) {
    const Id apart =
        model.node("Reshape", {x, model.host({n, length, heads, d})}, {n, length, heads, d});
    return model.node("Transpose", {apart}, {n, heads, length, d},
                      {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
  };
  const Id turned = model.node("Transpose", {split(k)}, {n, heads, d, length},
                               {{"perm", std::vector<int64_t>{0, 1, 3, 2}}});
  const Shape scores{n, heads, length, length};
  Id x = model.node("MatMul", {split(q), turned}, scores);
  x = model.node("Div", {x, model.constant(Shape{}, std::vector<T>{T(2.0f)})}, scores);
  x = model.node("Add", {x, mask}, scores);
  x = model.node("Softmax", {x}, scores, {{"axis", -1}});
  x = model.node("MatMul", {x, split(v)}, {n, heads, length, d});
  x = model.node("Transpose", {x}, {n, length, heads, d},
                 {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
  return model.node("Reshape", {x, model.host({n, length, heads * d})}, {n, length, heads * d});
}

}  // namespace mps::program_tests
