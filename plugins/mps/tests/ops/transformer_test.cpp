// RMSNormalization, RotaryEmbedding and Attention against plain loops, in all layouts.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class TransformerOf : public testing::Test {
 protected:
  static constexpr double rounding = std::is_same_v<T, float>  ? 2e-6
                                     : std::is_same_v<T, half> ? 0x1.1p-10
                                                               : 0x1.1p-7;
};
TYPED_TEST_SUITE(TransformerOf, Floating);

TYPED_TEST(TransformerOf, RootMeanSquares) {
  const Shape shape{3, 4, 5};
  const auto x = numbers<TypeParam>(60), scale = numbers<TypeParam>(5, 2);
  for (const int64_t axis : {-1, 1}) {
    const int64_t line = axis == 1 ? 20 : 5;
    const auto expected = made_by<TypeParam>(shape, [&](const Shape& at) {
      const auto position = static_cast<int64_t>(flat(shape, at));
      double squares = 0;
      for (int64_t i = position / line * line; i < position / line * line + line; ++i) {
        const auto one = static_cast<double>(static_cast<float>(x[static_cast<size_t>(i)]));
        squares += one * one;
      }
      return wide_at(x, shape, at) / std::sqrt(squares / static_cast<double>(line) + 0.01) *
             wide_at(scale, {5}, {at[2]});
    });
    Case("RMSNormalization", 23)
        .attribute("axis", axis)
        .attribute("epsilon", 0.01)
        .input(shape, x)
        .template input<TypeParam>({5}, scale)
        .expect(shape, expected, this->rounding);
  }
}

// Of [batch, heads, length, width]; the positions of a pair's elements by `is_interleaved`.
TYPED_TEST(TransformerOf, TurnedPairs) {
  const int64_t batch = 2, heads = 3, length = 4, width = 6;
  for (const int64_t pairs : {3, 2}) {
    for (const bool is_interleaved : {false, true}) {
      for (const bool has_positions : {false, true}) {
        for (const bool has_heads : {false, true}) {
          const Shape table = has_positions ? Shape{7, pairs} : Shape{batch, length, pairs};
          const auto x = numbers<TypeParam>(batch * heads * length * width);
          const auto cosines = numbers<TypeParam>(count_of(table), 2);
          const auto sines = numbers<TypeParam>(count_of(table), 3);
          const auto positions = below<int64_t>(7, batch * length, 4);
          const Shape shape =
              has_heads ? Shape{batch, heads, length, width} : Shape{batch, length, heads * width};
          const auto expected = made_by<TypeParam>(shape, [&](const Shape& at) {
            const int64_t token = has_heads ? at[2] : at[1];
            const int64_t along = has_heads ? at[3] : at[2] % width;
            if (along >= 2 * pairs) return wide_at(x, shape, at);
            const int64_t pair = is_interleaved ? along / 2 : along % pairs;
            const bool is_second = is_interleaved ? along % 2 == 1 : along >= pairs;
            Shape other = at;
            other.back() += (is_second ? -1 : 1) * (is_interleaved ? 1 : pairs);
            const int64_t number = at[0] * length + token;
            const int64_t row = has_positions ? positions[static_cast<size_t>(number)] : number;
            const Shape rows{has_positions ? 7 : batch * length, pairs};
            const double c = wide_at(cosines, rows, {row, pair});
            const double s = wide_at(sines, rows, {row, pair});
            const double a = wide_at(x, shape, at), b = wide_at(x, shape, other);
            return is_second ? s * b + c * a : c * a - s * b;
          });
          Case node("RotaryEmbedding", 23);
          node.attribute("interleaved", is_interleaved ? 1 : 0)
              .attribute("num_heads", has_heads ? 0 : heads)
              .attribute("rotary_embedding_dim", pairs == 3 ? int64_t{0} : 2 * pairs)
              .input(shape, x)
              .input(table, cosines)
              .input(table, sines);
          if (has_positions) node.template input<int64_t>({batch, length}, positions);
          node.expect(shape, expected, 4 * this->rounding);
        }
      }
    }
  }
}

TEST(RotaryEmbedding, PositionsOutsideOfTheTablesAreFaults) {
  for (const int64_t position : {3, -1}) {
    Case node("RotaryEmbedding", 23);
    node.input<float>({1, 1, 1, 2}, {1, 2})
        .input<float>({3, 1}, {1, 1, 1})
        .input<float>({3, 1}, {0, 0, 0})
        .input<int64_t>({1, 1}, {position})
        .output<float>({1, 1, 1, 2}, {1, 2});
    EXPECT_EQ(node.failure().what(),
              "an index is " + std::to_string(position) + ", but its axis has 3 elements");
  }
}

struct Attended {
  int64_t heads = 2, shared = 2;
  bool is_flat = false;  // of rank 3
  bool is_causal = false;
  float softcap = 0;
  float scale = 0;  // 0: none is given
  Shape mask;       // empty: none
  bool is_truth = false;
};

template <typename T>
void expect_attention(const Attended& of, double tolerance) {
  const int64_t batch = 2, length = 3, keys = 4, width = 5, columns = 3;
  const auto shape_of = [&](int64_t heads, int64_t rows, int64_t wide) {
    return of.is_flat ? Shape{batch, rows, heads * wide} : Shape{batch, heads, rows, wide};
  };
  const auto at = [&](const std::vector<T>& x, const Shape& shape, int64_t heads, int64_t b,
                      int64_t h, int64_t row, int64_t i) {
    const Shape position =
        of.is_flat ? Shape{b, row, h * (shape[2] / heads) + i} : Shape{b, h, row, i};
    return static_cast<double>(static_cast<float>(x[flat(shape, position)]));
  };
  const Shape q_shape = shape_of(of.heads, length, width),
              k_shape = shape_of(of.shared, keys, width),
              v_shape = shape_of(of.shared, keys, columns),
              y_shape = shape_of(of.heads, length, columns);
  auto q = numbers<T>(count_of(q_shape)), k = numbers<T>(count_of(k_shape), 2);
  for (T& one : q) one = static_cast<T>(static_cast<float>(one) / 8);
  const auto v = numbers<T>(count_of(v_shape), 3);
  const auto mask = numbers<T>(of.mask.empty() ? 0 : count_of(of.mask), 4);
  std::vector<Truth> truths;
  for (size_t i = 0; i < mask.size(); ++i) truths.push_back(i % 3 == 1 ? Truth::no : Truth::yes);
  const auto mask_at = [&](int64_t b, int64_t h, int64_t row, int64_t key) {
    const Shape full = {b, h, row, key};
    Shape position;
    for (size_t i = 0; i < of.mask.size(); ++i) {
      const int64_t one = full[4 - of.mask.size() + i];
      position.push_back(of.mask[i] == 1 ? 0 : one);
    }
    if (position.back() >= of.mask.back()) return -INFINITY;
    const size_t where = flat(of.mask, position);
    if (of.is_truth) return truths[where] == Truth::yes ? 0.0f : -INFINITY;
    return static_cast<float>(mask[where]);
  };
  const auto expected = made_by<T>(y_shape, [&](const Shape& to) {
    const int64_t b = to[0], row = of.is_flat ? to[1] : to[2];
    const int64_t h = of.is_flat ? to[2] / columns : to[1];
    const int64_t column = of.is_flat ? to[2] % columns : to[3];
    const int64_t group = h / (of.heads / of.shared);
    std::vector<double> scores;
    for (int64_t key = 0; key < keys; ++key) {
      double score = 0;
      for (int64_t i = 0; i < width; ++i) {
        score +=
            at(q, q_shape, of.heads, b, h, row, i) * at(k, k_shape, of.shared, b, group, key, i);
      }
      score *= of.scale != 0 ? static_cast<double>(of.scale) : 1 / std::sqrt(5.0);
      if (of.softcap > 0) {
        const auto cap = static_cast<double>(of.softcap);
        score = cap * std::tanh(score / cap);
      }
      if (!of.mask.empty()) score += static_cast<double>(mask_at(b, h, row, key));
      if (of.is_causal && key > row) score = -INFINITY;
      scores.push_back(score);
    }
    const double most = *std::max_element(scores.begin(), scores.end());
    double sum = 0, result = 0;
    for (int64_t key = 0; key < keys; ++key) {
      const double weight = std::exp(scores[static_cast<size_t>(key)] - most);
      sum += weight;
      result += weight * at(v, v_shape, of.shared, b, group, key, column);
    }
    return result / sum;
  });
  Case node("Attention", 23);
  node.attribute("is_causal", of.is_causal ? 1 : 0).attribute("softcap", double{of.softcap});
  if (of.is_flat) node.attribute("q_num_heads", of.heads).attribute("kv_num_heads", of.shared);
  if (of.scale != 0) node.attribute("scale", double{of.scale});
  node.input(q_shape, q).input(k_shape, k).input(v_shape, v);
  if (!of.mask.empty() && of.is_truth) node.input(of.mask, truths);
  if (!of.mask.empty() && !of.is_truth) node.input(of.mask, mask);
  node.expect(y_shape, expected, tolerance);
}

TYPED_TEST(TransformerOf, Attention) {
  const Attended cases[] = {
      {},
      {.heads = 4, .shared = 2},
      {.heads = 6, .shared = 1, .is_flat = true},
      {.is_flat = true, .is_causal = true},
      {.softcap = 2, .scale = 0.25f},
      {.heads = 4, .is_causal = true, .mask = {3, 4}},
      {.mask = {2, 1, 3, 4}},
      {.heads = 4, .mask = {1, 4, 1, 3}},
      {.mask = {3, 4}, .is_truth = true},
      {.mask = {2, 2, 3, 3}, .is_truth = true},
      {.mask = {3, 1}},
  };
  for (const Attended& of : cases) {
    SCOPED_TRACE(&of - cases);
    expect_attention<TypeParam>(of, 8 * this->rounding);
  }
}

// What a graph does not give goes to the next device, with the reason.
TEST(AttentionNode, RefusesAPastAndFurtherResults) {
  const Floats x(4);
  Case past("Attention", 23);
  past.input<float>({1, 1, 2, 2}, x).input<float>({1, 1, 2, 2}, x).input<float>({1, 1, 2, 2}, x);
  past.no_input().input<float>({1, 1, 2, 2}, x).input<float>({1, 1, 2, 2}, x);
  EXPECT_STREQ(past.output<float>({1, 1, 2, 2}, x).failure().what(), "Attention: with past_key");
}

}  // namespace
}  // namespace mps::op_tests
