// Attention, RotaryEmbedding and the layers with a state, against their formulas in double.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

using Numbers = std::vector<double>;

Numbers wave(int64_t count, double phase) {
  Numbers made;
  for (int64_t i = 0; i < count; ++i)
    made.push_back(std::sin(0.7 * static_cast<double>(i) + phase));
  return made;
}

void expect_near(const Numbers& got, const Numbers& want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(want[i])) {
      ASSERT_TRUE(std::isnan(got[i])) << i;
    } else {
      ASSERT_NEAR(got[i], want[i], tolerance) << i;
    }
  }
}

// [batch, heads, length, width] attention over keys that a function hides.
struct Formula {
  int64_t batch = 2, heads = 4, kv_heads = 2, length = 3, keys = 5, width = 4, values = 6;
  double softcap = 0;

  template <typename Hidden>
  Numbers operator()(const Numbers& q, const Numbers& k, const Numbers& v, Hidden bias) const {
    Numbers y;
    for (int64_t b = 0; b < batch; ++b) {
      for (int64_t h = 0; h < heads; ++h) {
        const int64_t kv = b * kv_heads + h / (heads / kv_heads);
        for (int64_t i = 0; i < length; ++i) {
          Numbers shares;
          double sum = 0;
          for (int64_t j = 0; j < keys; ++j) {
            double score = 0;
            for (int64_t e = 0; e < width; ++e) {
              score +=
                  q[((b * heads + h) * length + i) * width + e] * k[(kv * keys + j) * width + e];
            }
            score /= std::sqrt(static_cast<double>(width));
            if (softcap > 0) score = softcap * std::tanh(score / softcap);
            shares.push_back(std::exp(score + bias(b, h, i, j)));
            sum += shares.back();
          }
          for (int64_t e = 0; e < values; ++e) {
            double mixed = 0;
            for (int64_t j = 0; j < keys; ++j) {
              mixed += shares[j] / sum * v[(kv * keys + j) * values + e];
            }
            y.push_back(mixed);
          }
        }
      }
    }
    return y;
  }

  Shape q_shape() const { return {batch, heads, length, width}; }
  Shape k_shape() const { return {batch, kv_heads, keys, width}; }
  Shape v_shape() const { return {batch, kv_heads, keys, values}; }
  Shape y_shape() const { return {batch, heads, length, values}; }
  Numbers q() const { return wave(batch * heads * length * width, 0.1); }
  Numbers k() const { return wave(batch * kv_heads * keys * width, 0.5); }
  Numbers v() const { return wave(batch * kv_heads * keys * values, 0.9); }
};

constexpr double never = -std::numeric_limits<double>::infinity();
double nothing(int64_t, int64_t, int64_t, int64_t) { return 0; }

TEST(Attention, EveryTypeAndLayoutWithGroupedHeads) {
  const Formula formula;
  for (const auto& [dtype, tolerance] : std::vector<std::pair<sy_dtype, double>>{
           {SY_FLOAT32, 1e-6}, {SY_FLOAT64, 1e-12}, {SY_FLOAT16, 2e-3}, {SY_BFLOAT16, 2e-2}}) {
    const Value q = from_doubles(dtype, formula.q_shape(), formula.q());
    const Value k = from_doubles(dtype, formula.k_shape(), formula.k());
    const Value v = from_doubles(dtype, formula.v_shape(), formula.v());
    const Numbers want = formula(as_doubles(q), as_doubles(k), as_doubles(v), nothing);
    for (const Value& query : layouts_of(q)) {
      const Value y = OneNode("Attention", 24)
                          .input(query)
                          .input(k)
                          .input(transposed(v, {0, 2, 1, 3}))
                          .output(dtype, formula.y_shape())
                          .run();
      expect_near(as_doubles(y), want, tolerance);
    }
  }
}

TEST(Attention, HidesKeysByMaskByCauseAndByLength) {
  const Formula formula;
  const Value q = from_doubles(SY_FLOAT32, formula.q_shape(), formula.q());
  const Value k = from_doubles(SY_FLOAT32, formula.k_shape(), formula.k());
  const Value v = from_doubles(SY_FLOAT32, formula.v_shape(), formula.v());
  const auto node = [&] {
    OneNode made("Attention", 24);
    made.input(q).input(k).input(v);
    return made;
  };
  const auto run = [&](OneNode made) {
    return as_doubles(made.output(SY_FLOAT32, formula.y_shape()).run());
  };
  const Numbers a = formula.q(), b = formula.k(), c = formula.v();
  OneNode causal = node();
  causal.attribute("is_causal", 1);
  expect_near(run(std::move(causal)),
              formula(a, b, c, [](auto, auto, auto i, auto j) { return j > i ? never : 0.0; }),
              1e-6);
  OneNode flags = node();
  flags.input(from_doubles(SY_BOOL, {3, 5}, {1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0}));
  const int64_t seen[3][5] = {{1, 1, 0, 1, 0}, {0, 1, 1, 1, 1}, {1, 0, 0, 0, 0}};
  expect_near(
      run(std::move(flags)),
      formula(a, b, c, [&](auto, auto, auto i, auto j) { return seen[i][j] != 0 ? 0.0 : never; }),
      1e-6);
  // A mask that is too short hides the keys behind it; one of a single column broadcasts.
  OneNode cut = node();
  cut.input(from_doubles(SY_FLOAT32, {2, 1, 1, 3}, {0.5, 0, -1, 1, 2, 3}));
  const double added[2][3] = {{0.5, 0, -1}, {1, 2, 3}};
  expect_near(
      run(std::move(cut)),
      formula(a, b, c, [&](auto n, auto, auto, auto j) { return j < 3 ? added[n][j] : never; }),
      1e-6);
  OneNode column = node();
  column.input(from_doubles(SY_FLOAT32, {3, 1}, {0.5, 0, -1}));
  expect_near(run(std::move(column)), formula(a, b, c, nothing), 1e-6);
  for (const Value& counts : layouts_of(integers({2, 0}))) {
    OneNode lengths = node();
    lengths.absent_input().absent_input().absent_input().input(counts);
    expect_near(
        run(std::move(lengths)),
        formula(a, b, c, [](auto n, auto, auto, auto j) { return n == 0 && j < 2 ? 0.0 : never; }),
        1e-6);
  }
}

TEST(Attention, RefusesLengthsThatItsKeysDoNotHave) {
  const Formula formula;
  for (const int64_t length : {-1, 6}) {
    OneNode node("Attention", 24);
    node.input(from_doubles(SY_FLOAT32, formula.q_shape(), formula.q()));
    node.input(from_doubles(SY_FLOAT32, formula.k_shape(), formula.k()));
    node.input(from_doubles(SY_FLOAT32, formula.v_shape(), formula.v()));
    node.absent_input().absent_input().absent_input().input(integers({2, length}));
    node.output(SY_FLOAT32, formula.y_shape());
    EXPECT_THROW(node.run(), sy::Failure) << length;
  }
}

TEST(Attention, GoesOnFromThePastAndGivesItsScores) {
  Formula formula;
  formula.softcap = 0.5;
  const Numbers q = formula.q(), k = formula.k(), v = formula.v();
  const auto part = [&](const Numbers& whole, int64_t width, int64_t first, int64_t last) {
    Numbers made;
    for (int64_t head = 0; head < formula.batch * formula.kv_heads; ++head) {
      for (int64_t i = first * width; i < last * width; ++i) {
        made.push_back(whole[head * formula.keys * width + i]);
      }
    }
    return made;
  };
  const auto value_of = [&](const Numbers& whole, int64_t width, int64_t first, int64_t last) {
    return from_doubles(SY_FLOAT32, {2, 2, last - first, width}, part(whole, width, first, last));
  };
  const std::vector<Value> outputs = OneNode("Attention", 24)
                                         .attribute("is_causal", 1)
                                         .attribute("softcap", 0.5)
                                         .attribute("qk_matmul_output_mode", 3)
                                         .input(from_doubles(SY_FLOAT32, formula.q_shape(), q))
                                         .input(value_of(k, 4, 2, 5))
                                         .input(value_of(v, 6, 2, 5))
                                         .absent_input()
                                         .input(value_of(k, 4, 0, 2))
                                         .input(value_of(v, 6, 0, 2))
                                         .output(SY_FLOAT32, formula.y_shape())
                                         .output(SY_FLOAT32, formula.k_shape())
                                         .output(SY_FLOAT32, formula.v_shape())
                                         .output(SY_FLOAT32, {2, 4, 3, 5})
                                         .run_all();
  const auto hidden = [](auto, auto, auto i, auto j) { return j > i + 2 ? never : 0.0; };
  expect_near(as_doubles(outputs[0]), formula(q, k, v, hidden), 1e-6);
  expect_near(as_doubles(outputs[1]), k, 1e-6);
  expect_near(as_doubles(outputs[2]), v, 1e-6);
  const Numbers shares = as_doubles(outputs[3]);
  for (size_t row = 0; row < shares.size() / 5; ++row) {
    double sum = 0;
    for (size_t j = 0; j < 5; ++j) sum += shares[row * 5 + j];
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  EXPECT_EQ(shares[3], 0);
}

TEST(Attention, HeadsSideBySide) {
  const Formula formula;
  const Value q = from_doubles(SY_FLOAT32, formula.q_shape(), formula.q());
  const Value k = from_doubles(SY_FLOAT32, formula.k_shape(), formula.k());
  const Value v = from_doubles(SY_FLOAT32, formula.v_shape(), formula.v());
  const auto laid = [](const Value& value) {
    const Numbers from = as_doubles(value);
    const Shape& s = value.shape;
    Numbers to(from.size());
    for (int64_t i = 0; i < value.size(); ++i) {
      const int64_t e = i % s[3], l = i / s[3] % s[2], h = i / (s[3] * s[2]) % s[1],
                    b = i / (s[3] * s[2] * s[1]);
      to[((b * s[2] + l) * s[1] + h) * s[3] + e] = from[i];
    }
    return from_doubles(SY_FLOAT32, {s[0], s[2], s[1] * s[3]}, to);
  };
  const Value y = OneNode("Attention", 24)
                      .attribute("q_num_heads", 4)
                      .attribute("kv_num_heads", 2)
                      .input(laid(q))
                      .input(laid(k))
                      .input(laid(v))
                      .output(SY_FLOAT32, {2, 3, 24})
                      .run();
  const Value want = from_doubles(SY_FLOAT32, formula.y_shape(),
                                  formula(formula.q(), formula.k(), formula.v(), nothing));
  expect_near(as_doubles(y), as_doubles(laid(want)), 1e-6);
}

TEST(Attention, NoQueriesNoKeysAndMoreThanABlock) {
  const auto zeros = [](Shape shape) {
    return from_doubles(SY_FLOAT32, shape, Numbers(static_cast<size_t>(sy::element_count(shape))));
  };
  EXPECT_EQ(OneNode("Attention", 24)
                .input(zeros({1, 2, 0, 4}))
                .input(zeros({1, 2, 3, 4}))
                .input(zeros({1, 2, 3, 4}))
                .output(SY_FLOAT32, {1, 2, 0, 4})
                .run()
                .size(),
            0);
  EXPECT_EQ(as_doubles(OneNode("Attention", 24)
                           .input(zeros({1, 1, 2, 4}))
                           .input(zeros({1, 1, 0, 4}))
                           .input(zeros({1, 1, 0, 3}))
                           .output(SY_FLOAT32, {1, 1, 2, 3})
                           .run()),
            Numbers(6, 0));
  Formula formula;
  formula.length = formula.keys = 150;
  const auto value_of = [](const Shape& shape, const Numbers& numbers) {
    return from_doubles(SY_FLOAT32, shape, numbers);
  };
  const Value y = OneNode("Attention", 24)
                      .attribute("is_causal", 1)
                      .input(value_of(formula.q_shape(), formula.q()))
                      .input(value_of(formula.k_shape(), formula.k()))
                      .input(value_of(formula.v_shape(), formula.v()))
                      .output(SY_FLOAT32, formula.y_shape())
                      .run();
  expect_near(as_doubles(y),
              formula(formula.q(), formula.k(), formula.v(),
                      [](auto, auto, auto i, auto j) { return j > i ? never : 0.0; }),
              1e-5);
}

TEST(RotaryEmbedding, TurnsPairsByTheAngleOfTheirPosition) {
  const Numbers x = wave(2 * 2 * 3 * 6, 0.2);
  const Numbers angles = wave(5 * 2, 0.4);
  Numbers cosines, sines;
  for (const double angle : angles) {
    cosines.push_back(std::cos(angle));
    sines.push_back(std::sin(angle));
  }
  const Numbers positions = {4, 0, 2, 1, 1, 3};
  for (const bool is_interleaved : {false, true}) {
    Numbers want = x;
    for (int64_t i = 0; i < 2 * 2 * 3; ++i) {  // [batch, heads, length, width]
      const auto position = static_cast<int64_t>(positions[i / 6 * 3 + i % 3]);
      for (int64_t pair = 0; pair < 2; ++pair) {
        const int64_t a = i * 6 + (is_interleaved ? 2 * pair : pair);
        const int64_t b = is_interleaved ? a + 1 : a + 2;
        const double c = cosines[position * 2 + pair], s = sines[position * 2 + pair];
        want[a] = c * x[a] - s * x[b];
        want[b] = s * x[a] + c * x[b];
      }
    }
    for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
      const double tolerance = dtype == SY_FLOAT16 ? 2e-3 : dtype == SY_BFLOAT16 ? 2e-2 : 1e-6;
      for (const Value& input : layouts_of(from_doubles(dtype, {2, 2, 3, 6}, x))) {
        const Value y = OneNode("RotaryEmbedding", 23)
                            .attribute("interleaved", is_interleaved ? 1 : 0)
                            .attribute("rotary_embedding_dim", 4)
                            .input(input)
                            .input(from_doubles(dtype, {5, 2}, cosines))
                            .input(from_doubles(dtype, {5, 2}, sines))
                            .input(value<int64_t>({2, 3}, {4, 0, 2, 1, 1, 3}))
                            .output(dtype, {2, 2, 3, 6})
                            .run();
        expect_near(as_doubles(y), want, tolerance);
      }
    }
  }
  OneNode outside("RotaryEmbedding", 23);
  outside.input(from_doubles(SY_FLOAT32, {1, 1, 1, 4}, {1, 2, 3, 4}));
  outside.input(from_doubles(SY_FLOAT32, {5, 2}, cosines));
  outside.input(from_doubles(SY_FLOAT32, {5, 2}, sines));
  outside.input(value<int64_t>({1, 1}, {5})).output(SY_FLOAT32, {1, 1, 1, 4});
  EXPECT_THROW(outside.run(), sy::Failure);
}

TEST(LinearAttention, DecaysCorrectsAndReads) {
  // One head, two tokens, a state of 1 x 1: the formulas by hand.
  const auto one = [](Numbers numbers) { return from_doubles(SY_FLOAT32, {1, 2, 1}, numbers); };
  const std::vector<Value> outputs = OneNode("LinearAttention", 27)
                                         .attribute("q_num_heads", 1)
                                         .attribute("kv_num_heads", 1)
                                         .attribute("update_rule", "gated_delta")
                                         .attribute("scale", 2.0)
                                         .input(one({1, 3}))
                                         .input(one({2, 1}))
                                         .input(one({5, 7}))
                                         .input(from_doubles(SY_FLOAT32, {1, 1, 1, 1}, {4}))
                                         .input(one({std::log(0.5), 0}))
                                         .input(one({0.5, 1}))
                                         .output(SY_FLOAT32, {1, 2, 1})
                                         .output(SY_FLOAT32, {1, 1, 1, 1})
                                         .run_all();
  // 4 * 0.5 = 2; 2 + 2 * 0.5 * (5 - 2 * 2) = 3; 3 + 1 * (7 - 3) = 7.
  expect_near(as_doubles(outputs[0]), {2 * 3, 2 * 3 * 7}, 1e-5);
  expect_near(as_doubles(outputs[1]), {7}, 1e-5);
}

TEST(CausalConvolution, LooksBackIntoItsState) {
  for (const bool has_past : {false, true}) {
    OneNode node("CausalConvWithState", 27);
    node.input(from_doubles(SY_FLOAT32, {1, 2, 1}, {1, 10}));
    node.input(from_doubles(SY_FLOAT32, {2, 1, 3}, {1, 2, 3, 4, 5, 6}));
    node.input(from_doubles(SY_FLOAT32, {2}, {0.5, 0}));
    if (has_past) node.input(from_doubles(SY_FLOAT32, {1, 2, 2}, {7, 8, 9, 10}));
    node.output(SY_FLOAT32, {1, 2, 1}).output(SY_FLOAT32, {1, 2, 2});
    const std::vector<Value> outputs = node.run_all();
    expect_near(as_doubles(outputs[0]),
                has_past ? Numbers{7 + 16 + 3 + 0.5, 36 + 50 + 60} : Numbers{3.5, 60}, 1e-5);
    expect_near(as_doubles(outputs[1]), has_past ? Numbers{8, 1, 10, 10} : Numbers{0, 1, 0, 10},
                1e-6);
  }
}

}  // namespace
}  // namespace cpu::testing
