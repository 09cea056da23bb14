#include <array>
#include <cmath>

#include "software/interpreter/elementwise.hpp"
#include "software/interpreter/numbers.hpp"

namespace mps::software::interpreter {

namespace {

// Calls each(result's offset, operands' offsets) for every element of `shape`.
template <size_t N, typename Each>
void for_each_element(const Shape& shape, const std::array<const Value*, N>& operands, Each each) {
  std::array<Shape, N> strides;
  for (size_t k = 0; k < N; ++k) strides[k] = broadcast_strides(operands[k]->shape(), shape);
  const int64_t length = row_length(shape);
  int64_t next = 0;
  for_each_row(shape, strides, [&](std::array<int64_t, N> at) {
    for (int64_t i = 0; i < length; ++i) {
      each(next++, at);
      for (size_t k = 0; k < N; ++k) at[k] += row_step(strides[k]);
    }
  });
}

template <typename Number>
Value clamped(const Value& x, const Value& least, const Value& most, const seam::TensorType& type) {
  const Numbers<Number> xs(x);
  const Numbers<Number> lows(least);
  const Numbers<Number> highs(most);
  Results<Number> results(type, 0);
  for_each_element<3>(type.shape, {&x, &least, &most}, [&](int64_t i, const auto& at) {
    Number number = xs[at[0]];
    // Written so that a bound that is NaN wins too, as it does in a maximum and a minimum.
    if (number < lows[at[1]] || lows[at[1]] != lows[at[1]]) number = lows[at[1]];
    if (number > highs[at[2]] || highs[at[2]] != highs[at[2]]) number = highs[at[2]];
    results[i] = number;
  });
  return results.rounded();
}

}  // namespace

Value select(const Value& condition, const Value& y, const Value& z, const seam::TensorType& type) {
  Value result(type);
  with_bits_of(type.element, [&](auto bits) {
    using Bits = decltype(bits);
    for_each_element<3>(type.shape, {&condition, &y, &z}, [&](int64_t i, const auto& at) {
      const bool first = load<uint8_t>(condition.data(), at[0]) != 0;
      store(result.storage(), i, first ? load<Bits>(y.data(), at[1]) : load<Bits>(z.data(), at[2]));
    });
  });
  return result;
}

Value clamp(const Value& x, const Value& least, const Value& most, const seam::TensorType& type) {
  return is_float(type.element) ? clamped<float>(x, least, most, type)
                                : clamped<int64_t>(x, least, most, type);
}

Value normalize(const Value& x, const Value& mean, const Value& variance, const Value& scale,
                const Value& bias, const seam::Normalization& normalization,
                const seam::TensorType& type) {
  const Numbers<float> xs(x);
  const Numbers<float> means(mean);
  const Numbers<float> variances(variance);
  const Numbers<float> scales(scale);
  const Numbers<float> biases(bias);
  const auto epsilon = static_cast<float>(normalization.epsilon);
  Results<float> results(type, 0);
  for_each_element<5>(type.shape, {&x, &mean, &variance, &scale, &bias},
                      [&](int64_t i, const auto& at) {
                        const float deviation = std::sqrt(variances[at[2]] + epsilon);
                        const float normal = (xs[at[0]] - means[at[1]]) / deviation;
                        results[i] = normal * scales[at[3]] + biases[at[4]];
                      });
  return results.rounded();
}

}  // namespace mps::software::interpreter
