// Attention in the forms of Microsoft's domain, against loops that follow its definition.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "onnx/contrib_models.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using Size = std::int64_t;

/// What is added to the score of a key for a query.
using Score = std::function<float(Size batch, Size head, Size query, Size key)>;

float at(const Floats& values, Size index) { return values[static_cast<std::size_t>(index)]; }

struct Shape {
  Size batch, heads, queries, keys, width, value_width;
};

/// q, k and v are [batch, length, heads * width]; so is the result.
Floats attention(const Shape& s, const Floats& q, const Floats& k, const Floats& v,
                 const Score& added, float scale = 0, Size key_heads = 0) {
  if (key_heads == 0) key_heads = s.heads;
  if (scale == 0) scale = 1 / std::sqrt(static_cast<float>(s.width));
  Floats result;
  for (Size b = 0; b < s.batch; ++b) {
    for (Size i = 0; i < s.queries; ++i) {
      for (Size h = 0; h < s.heads; ++h) {
        const Size group = h / (s.heads / key_heads);
        std::vector<double> weights;
        double most = -std::numeric_limits<double>::infinity(), sum = 0;
        for (Size j = 0; j < s.keys; ++j) {
          double score = 0;
          for (Size d = 0; d < s.width; ++d) {
            score += at(q, ((b * s.queries + i) * s.heads + h) * s.width + d) *
                     at(k, ((b * s.keys + j) * key_heads + group) * s.width + d);
          }
          weights.push_back(score * scale + added(b, h, i, j));
          most = std::max(most, weights.back());
        }
        for (double& weight : weights) sum += weight = std::exp(weight - most);
        for (Size d = 0; d < s.value_width; ++d) {
          double value = 0;
          for (Size j = 0; j < s.keys; ++j) {
            value += weights[static_cast<std::size_t>(j)] / sum *
                     at(v, ((b * s.keys + j) * key_heads + group) * s.value_width + d);
          }
          result.push_back(static_cast<float>(value));
        }
      }
    }
  }
  return result;
}

float none(Size, Size, Size, Size) { return 0; }

constexpr float kHidden = -std::numeric_limits<float>::infinity();

Tensor ints(const Dims& shape, const std::vector<std::int32_t>& values) {
  return Tensor::of<std::int32_t>(shape, values);
}

/// From [batch, heads, length, width] to [batch, length, heads, width], and back.
Floats heads_swapped(const Floats& values, Size batch, Size heads, Size length, Size width) {
  Floats result;
  for (Size b = 0; b < batch; ++b) {
    for (Size i = 0; i < length; ++i) {
      for (Size h = 0; h < heads; ++h) {
        for (Size d = 0; d < width; ++d) {
          result.push_back(at(values, ((b * heads + h) * length + i) * width + d));
        }
      }
    }
  }
  return result;
}

class MultiHead : public testing::Test {
 protected:
  std::vector<Tensor> run(const std::string& inputs, const std::string& node, Feeds more = {}) {
    Feeds feeds = {
        {"q", floats({2, 3, 8}, q)}, {"k", floats({2, 5, 8}, k)}, {"v", floats({2, 5, 4}, v)}};
    feeds.insert(feeds.end(), more.begin(), more.end());
    return run_contrib("g (float[b,s,8] q, float[b,t,8] k, float[b,t,4] v" + inputs +
                           ") => (y) { y = com.microsoft.MultiHeadAttention " + node + " }",
                       feeds);
  }

  Numbers numbers;
  const Shape shape{2, 2, 3, 5, 4, 2};
  const Floats q = numbers.many(48), k = numbers.many(80), v = numbers.many(40);
};

TEST_F(MultiHead, AttendsToAllKeys) {
  expect_near(run("", "<num_heads = 2> (q, k, v)")[0], attention(shape, q, k, v, none));
  expect_near(run("", "<num_heads = 2, scale = 0.3> (q, k, v)")[0],
              attention(shape, q, k, v, none, 0.3F));
}

// The last query sees all keys, as in onnxruntime: a step of a decoder whose keys came from before.
TEST_F(MultiHead, HidesLaterKeys) {
  const auto later = [](Size, Size, Size i, Size j) { return j > i && i < 2 ? kHidden : 0; };
  expect_near(run("", "<num_heads = 2, unidirectional = 1> (q, k, v)")[0],
              attention(shape, q, k, v, later));
  const std::vector<std::int32_t> mask = {0, 1, 1, 0, 1, 1, 0, 0, 1, 1};
  const Floats bias = numbers.many(2 * 3 * 5);
  expect_near(
      run(", int32[b,t] m, float[1,2,3,5] a",
          "<num_heads = 2, unidirectional = 1, mask_filter_value = -2.0> (q, k, v, \"\", m, a)",
          {{"m", ints({2, 5}, mask)}, {"a", floats({1, 2, 3, 5}, bias)}})[0],
      attention(shape, q, k, v, [&](Size b, Size h, Size i, Size j) {
        const float filter = mask[static_cast<std::size_t>(b * 5 + j)] > 0 ? 0.0F : -2.0F;
        return later(b, h, i, j) + filter + at(bias, (h * 3 + i) * 5 + j);
      }));
}

TEST_F(MultiHead, HidesLaterKeysOfSelfAttention) {
  const std::string node =
      "y = com.microsoft.MultiHeadAttention <num_heads = 2, unidirectional = 1> (q, q, q) }";
  const Floats expected = attention({2, 2, 3, 3, 4, 4}, q, q, q,
                                    [](Size, Size, Size i, Size j) { return j > i ? kHidden : 0; });
  for (const char* input : {"float[2,3,8] q", "float[b,s,8] q"}) {
    expect_near(run_contrib("g (" + std::string(input) + ") => (y) { " + node,
                            {{"q", floats({2, 3, 8}, q)}})[0],
                expected);
  }
}

TEST_F(MultiHead, AddsTheFilterAndTheBias) {
  const std::vector<std::int32_t> mask = {1, 1, 0, 1, 0, 1, 0, 0, 1, 1};
  const Floats bias = numbers.many(2 * 3 * 5);
  const auto filter = [&](Size b, Size, Size, Size j) {
    return mask[static_cast<std::size_t>(b * 5 + j)] > 0 ? 0.0F : -10000.0F;
  };
  const Feeds more = {{"m", ints({2, 5}, mask)}, {"a", floats({1, 2, 3, 5}, bias)}};
  expect_near(run(", int32[b,t] m", "<num_heads = 2> (q, k, v, \"\", m)", {more[0]})[0],
              attention(shape, q, k, v, filter));
  expect_near(run(", int32[b,t] m, float[1,2,3,5] a",
                  "<num_heads = 2, mask_filter_value = -1.5> (q, k, v, \"\", m, a)", more)[0],
              attention(shape, q, k, v, [&](Size b, Size h, Size i, Size j) {
                return (filter(b, h, i, j) < 0 ? -1.5F : 0.0F) + at(bias, (h * 3 + i) * 5 + j);
              }));
}

TEST_F(MultiHead, KnowsWhereSequencesEnd) {
  expect_near(
      run(", int32[b] m", "<num_heads = 2> (q, k, v, \"\", m)", {{"m", ints({2}, {2, 5})}})[0],
      attention(shape, q, k, v,
                [](Size b, Size, Size, Size j) { return b == 0 && j >= 2 ? -10000.0F : 0.0F; }));
}

TEST_F(MultiHead, AddsTheBiasOfTheProjections) {
  const Floats bias = numbers.many(20);
  const auto biased = [&](Floats values, std::size_t width, std::size_t first) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += bias[first + i % width];
    return values;
  };
  expect_near(run(", float[c] c", "<num_heads = 2> (q, k, v, c)", {{"c", floats({20}, bias)}})[0],
              attention(shape, biased(q, 8, 0), biased(k, 8, 8), biased(v, 4, 16), none));
}

TEST_F(MultiHead, TakesPackedProjections) {
  const Floats packed = numbers.many(2 * 3 * 2 * 3 * 4);
  Floats parts[3];
  for (Size row = 0; row < 2 * 3 * 2; ++row) {
    for (Size part = 0; part < 3; ++part) {
      for (Size d = 0; d < 4; ++d) parts[part].push_back(at(packed, (row * 3 + part) * 4 + d));
    }
  }
  const Tensor y = run_contrib(
      "g (float[b,s,2,3,4] q) => (y) { y = com.microsoft.MultiHeadAttention <num_heads = 2> (q) }",
      {{"q", floats({2, 3, 2, 3, 4}, packed)}})[0];
  expect_near(y, attention({2, 2, 3, 3, 4, 4}, parts[0], parts[1], parts[2], none));
}

TEST_F(MultiHead, PutsThePastBeforeTheKeys) {
  const Floats past_k = numbers.many(2 * 2 * 2 * 4), past_v = numbers.many(2 * 2 * 2 * 2);
  const auto joined = [](const Floats& past, const Floats& values, Size width) {
    const Floats rows = heads_swapped(past, 2, 2, 2, width);
    Floats result;
    for (Size b = 0; b < 2; ++b) {
      result.insert(result.end(), rows.begin() + b * 4 * width, rows.begin() + (b + 1) * 4 * width);
      result.insert(result.end(), values.begin() + b * 10 * width,
                    values.begin() + (b + 1) * 10 * width);
    }
    return result;
  };
  const auto outputs = run_contrib(
      "g (float[2,3,8] q, float[2,5,8] k, float[2,5,4] v, float[2,2,p,4] pk, float[2,2,p,2] pv)"
      " => (y, nk, nv) { y, nk, nv = com.microsoft.MultiHeadAttention"
      " <num_heads = 2, unidirectional = 1> (q, k, v, \"\", \"\", \"\", pk, pv) }",
      {{"q", floats({2, 3, 8}, q)},
       {"k", floats({2, 5, 8}, k)},
       {"v", floats({2, 5, 4}, v)},
       {"pk", floats({2, 2, 2, 4}, past_k)},
       {"pv", floats({2, 2, 2, 2}, past_v)}});
  const Floats keys = joined(past_k, k, 4), values = joined(past_v, v, 2);
  expect_near(outputs[0],
              attention({2, 2, 3, 7, 4, 2}, q, keys, values,
                        [](Size, Size, Size i, Size j) { return j > i + 2 ? kHidden : 0; }));
  EXPECT_EQ(outputs[1].shape(), (Dims{2, 2, 7, 4}));
  expect_near(outputs[1], heads_swapped(keys, 2, 7, 2, 4));
  expect_near(outputs[2], heads_swapped(values, 2, 7, 2, 2));
}

// A mask of fewer columns than there are keys would be filled up.
TEST_F(MultiHead, RefusesWhatDoesNotFit) {
  const Error error = error_of([&] {
    run(", int32[b,c] m", "<num_heads = 2> (q, k, v, \"\", m)",
        {{"m", ints({2, 4}, {1, 1, 1, 1, 1, 1, 1, 1})}});
  });
  EXPECT_EQ(error.kind(), ErrorKind::model);
  const auto refused = [](const std::string& node) {
    return refusal(contrib_model(
        "g (float[1,1,4] q, float[1,2,4] k, int32[1] i) => (y, a, b, c) {" + node + " }"));
  };
  EXPECT_THAT(refused("b = Constant <value_floats = [1.0, 2.0]> ()"
                      " y = com.microsoft.MultiHeadAttention <num_heads = 2> (q, k, k, b)"),
              AllOf(HasSubstr("m.onnx: the MultiHeadAttention that makes 'y': "),
                    HasSubstr("\"bias\") has shape [2]; it must be [12]")));
  EXPECT_THAT(refused("y = com.microsoft.MultiHeadAttention <num_heads = 2> (q)"),
              HasSubstr("input 1 (key) is missing"));
  EXPECT_THAT(
      refused("y, \"\", \"\", c = com.microsoft.MultiHeadAttention <num_heads = 2> (q, k, k)"),
      HasSubstr("output 3 (qk)"));
  EXPECT_THAT(refused("y = com.microsoft.MultiHeadAttention <num_heads = 2>"
                      " (q, k, k, \"\", \"\", \"\", \"\", \"\", i)"),
              HasSubstr("past_sequence_length"));
}

class Projected : public testing::Test {
 protected:
  /// Query, key and value of the projected input, whose lengths are 4.
  Floats part(Size first, Size width) const {
    Floats result;
    for (Size row = 0; row < 8; ++row) {
      for (Size column = first; column < first + width; ++column) {
        float sum = at(b, column);
        for (Size i = 0; i < 3; ++i) sum += at(x, row * 3 + i) * at(w, i * 12 + column);
        result.push_back(sum);
      }
    }
    return result;
  }

  std::vector<Tensor> run(const std::string& mask, const std::string& attributes, Feeds more = {}) {
    Feeds feeds = {{"x", floats({2, 4, 3}, x)}, {"w", floats({3, 12}, w)}, {"b", floats({12}, b)}};
    feeds.insert(feeds.end(), more.begin(), more.end());
    const std::string input = mask.empty() ? "" : ", int32" + mask + " m";
    return run_contrib("g (float[n,s,3] x, float[3,12] w, float[12] b" + input +
                           ") => (y, p) { y, p = com.microsoft.Attention <num_heads = 2" +
                           attributes + "> (x, w, b" + (mask.empty() ? "" : ", m") + ") }",
                       feeds);
  }

  Numbers numbers;
  const Shape shape{2, 2, 4, 4, 2, 2};
  const Floats x = numbers.many(24), w = numbers.many(36), b = numbers.many(12);
  Floats q = part(0, 4), k = part(4, 4), v = part(8, 4);
};

TEST_F(Projected, ProjectsAndAttends) {
  const auto outputs = run("", ", unidirectional = 1");
  expect_near(outputs[0], attention(shape, q, k, v, [](Size, Size, Size i, Size j) {
                return j > i ? kHidden : 0;
              }));
  ASSERT_EQ(outputs[1].shape(), (Dims{2, 2, 2, 4, 2}));
  Floats present = heads_swapped(k, 2, 4, 2, 2);
  const Floats values = heads_swapped(v, 2, 4, 2, 2);
  present.insert(present.end(), values.begin(), values.end());
  expect_near(outputs[1], present);
}

TEST_F(Projected, SplitsAsItsSizesSay) {
  const Tensor y = run_contrib(
      "g (float[n,s,3] x, float[3,12] w, float[12] b) => (y) { y = com.microsoft.Attention"
      " <num_heads = 2, qkv_hidden_sizes = [2, 2, 8]> (x, w, b) }",
      {{"x", floats({2, 4, 3}, x)}, {"w", floats({3, 12}, w)}, {"b", floats({12}, b)}})[0];
  expect_near(y, attention({2, 2, 4, 4, 1, 4}, part(0, 2), part(2, 2), part(4, 8), none));
}

TEST_F(Projected, HidesKeysByEveryFormOfMask) {
  const auto ends = [](Size b, Size, Size, Size j) {
    return j >= (b == 0 ? 2 : 3) ? -10000.0F : 0.0F;
  };
  expect_near(run("[m]", "", {{"m", ints({2}, {2, 3})}})[0], attention(shape, q, k, v, ends));
  expect_near(run("[n,t]", "", {{"m", ints({2, 4}, {1, 1, 0, 0, 1, 1, 1, 0})}})[0],
              attention(shape, q, k, v, ends));
  expect_near(run("[m]", "", {{"m", ints({4}, {2, 3, 1, 0})}})[0],
              attention(shape, q, k, v, [&](Size b, Size h, Size i, Size j) {
                return b == 0 && j < 1 ? -10000.0F : ends(b, h, i, j);
              }));
  std::vector<std::int32_t> rows;
  for (int i = 0; i < 32; ++i) rows.push_back(i % 3 == 0 ? 0 : 1);
  expect_near(run("[n,s,t]", "", {{"m", ints({2, 4, 4}, rows)}})[0],
              attention(shape, q, k, v, [&](Size b, Size, Size i, Size j) {
                return rows[static_cast<std::size_t>((b * 4 + i) * 4 + j)] > 0 ? 0.0F : -10000.0F;
              }));
}

TEST_F(Projected, RefusesWhatItDoesNotHave) {
  const auto refused = [](const std::string& attributes) {
    return refusal(
        contrib_model("g (float[1,2,3] x, float[3,12] w, int32[7] m) => (y) {"
                      " y = com.microsoft.Attention <num_heads = 2" +
                      attributes + " }"));
  };
  EXPECT_THAT(refused(", do_rotary = 1> (x, w)"), HasSubstr("do_rotary"));
  EXPECT_THAT(refused("> (x, w, \"\", m)"), HasSubstr("7 numbers"));
  EXPECT_THAT(refused(", qkv_hidden_sizes = [4, 4, 5]> (x, w)"), HasSubstr("qkv_hidden_sizes"));
  EXPECT_THAT(refusal(contrib_model("g (float[1,2,3] x, float[3,12] w) => (y, p) {"
                                    " y, p = com.microsoft.Attention <num_heads = 2,"
                                    " qkv_hidden_sizes = [2, 2, 8]> (x, w) }")),
              HasSubstr("keys and values of one width"));
}

/// A head's elements turned by the angles of a position, as halves or in pairs.
Floats rotated(const Floats& values, Size rows, Size heads, Size width, const Floats& cosines,
               const Floats& sines, Size turned, bool pairs, const std::vector<Size>& places) {
  Floats result = values;
  for (Size row = 0; row < rows; ++row) {
    for (Size h = 0; h < heads; ++h) {
      const Size head = (row * heads + h) * width;
      for (Size i = 0; i < turned / 2; ++i) {
        const Size a = head + (pairs ? 2 * i : i), b = head + (pairs ? 2 * i + 1 : i + turned / 2);
        const Size angle = places[static_cast<std::size_t>(row)] * (turned / 2) + i;
        const float c = at(cosines, angle), s = at(sines, angle);
        result[static_cast<std::size_t>(a)] = at(values, a) * c - at(values, b) * s;
        result[static_cast<std::size_t>(b)] = at(values, b) * c + at(values, a) * s;
      }
    }
  }
  return result;
}

TEST(ContribRotary, RotatesByPosition) {
  Numbers numbers;
  const Floats x = numbers.many(2 * 3 * 8), cosines = numbers.many(20), sines = numbers.many(20);
  const auto run = [&](const std::string& attributes, const std::string& places, const Tensor& p,
                       Size half) {
    return run_contrib("g (float[n,s,8] x, int64" + places +
                           " p, float[m,h] c, float[m,h] d) => (y)"
                           " { y = com.microsoft.RotaryEmbedding <" +
                           attributes + "> (x, p, c, d) }",
                       {{"x", floats({2, 3, 8}, x)},
                        {"p", p},
                        {"c", floats({20 / half, half}, cosines)},
                        {"d", floats({20 / half, half}, sines)}})[0];
  };
  const auto each = Tensor::of<Size>({2, 3}, {4, 0, 1, 2, 3, 4});
  expect_near(run("interleaved = 0", "[n,s]", each, 2),
              rotated(x, 6, 2, 4, cosines, sines, 4, false, {4, 0, 1, 2, 3, 4}));
  expect_near(run("interleaved = 1", "[1]", Tensor::of<Size>({1}, {2}), 2),
              rotated(x, 6, 2, 4, cosines, sines, 4, true, {2, 3, 4, 2, 3, 4}));
  expect_near(run("num_heads = 2, rotary_embedding_dim = 2", "[n,s]", each, 1),
              rotated(x, 6, 2, 4, cosines, sines, 2, false, {4, 0, 1, 2, 3, 4}));
}

struct GroupCase {
  bool packed, rotates, has_bias;
  Size window;
};

class GroupQuery : public testing::TestWithParam<GroupCase> {};

// A prompt of 4, then a step of 1, on a cache of 6 rows; the second sequence's prompt has 3.
TEST_P(GroupQuery, KeepsACacheFromPromptToStep) {
  const auto [packed, rotates, has_bias, window] = GetParam();
  Numbers numbers;
  constexpr Size kHeads = 4, kKeys = 2, kWidth = 4, kCache = 6;
  const Floats cosines = numbers.many(20), sines = numbers.many(20);
  const std::vector<Size> lengths = {4, 3};
  std::string graph = "g (";
  graph += packed ? "float[n,s,32] q" : "float[n,s,16] q, float[n,s,8] k, float[n,s,8] v";
  graph +=
      ", float[n,2,p,4] pk, float[n,2,p,4] pv, int32[n] l, int32 t, float[10,2] c,"
      " float[10,2] d";
  if (has_bias) graph += ", float[1,4,s,t] b";
  graph +=
      ") => (y, nk, nv) { y, nk, nv = com.microsoft.GroupQueryAttention <num_heads = 4,"
      " kv_num_heads = 2, do_rotary = " +
      std::to_string(rotates ? 1 : 0) + ", local_window_size = " + std::to_string(window) +
      "> (q, ";
  graph += packed ? "\"\", \"\"" : "k, v";
  graph += ", pk, pv, l, t, c, d";
  graph += has_bias ? ", \"\", b) }" : ") }";
  Tensor past_k = floats({2, kKeys, kCache, kWidth}, Floats(96)), past_v = past_k;
  std::vector<Floats> keys(2), values(2);  // of each sequence, rotated
  Size total = 0;
  for (const Size length : {Size{4}, Size{1}}) {
    const bool is_prompt = length == 4;
    total += length;
    const Floats q = numbers.many(2 * length * 16), k = numbers.many(2 * length * 8),
                 v = numbers.many(2 * length * 8), bias = numbers.many(4 * length * total);
    std::vector<std::int32_t> last;
    std::vector<Size> places;
    for (std::size_t b = 0; b < 2; ++b) {
      last.push_back(static_cast<std::int32_t>(is_prompt ? lengths[b] - 1 : lengths[b]));
      for (Size i = 0; i < length; ++i) places.push_back(is_prompt ? i : lengths[b]);
    }
    const auto turned = [&](const Floats& each, Size heads) {
      return rotates ? rotated(each, 2 * length, heads, kWidth, cosines, sines, 4, false, places)
                     : each;
    };
    Feeds feeds = {{"pk", past_k},
                   {"pv", past_v},
                   {"l", ints({2}, last)},
                   {"t", ints({}, {static_cast<std::int32_t>(total)})},
                   {"c", floats({10, 2}, cosines)},
                   {"d", floats({10, 2}, sines)}};
    if (has_bias) feeds.emplace_back("b", floats({1, 4, length, total}, bias));
    if (packed) {
      Floats all;
      for (Size row = 0; row < 2 * length; ++row) {
        all.insert(all.end(), q.begin() + row * 16, q.begin() + (row + 1) * 16);
        all.insert(all.end(), k.begin() + row * 8, k.begin() + (row + 1) * 8);
        all.insert(all.end(), v.begin() + row * 8, v.begin() + (row + 1) * 8);
      }
      feeds.emplace_back("q", floats({2, length, 32}, all));
    } else {
      feeds.emplace_back("q", floats({2, length, 16}, q));
      feeds.emplace_back("k", floats({2, length, 8}, k));
      feeds.emplace_back("v", floats({2, length, 8}, v));
    }
    const auto outputs = run_contrib(graph, feeds);
    past_k = outputs[1];
    past_v = outputs[2];
    EXPECT_EQ(past_k.shape(), (Dims{2, kKeys, kCache, kWidth}));
    const Floats fresh_k = turned(k, kKeys), fresh_q = turned(q, kHeads);
    const Floats found = outputs[0].to_vector<float>();
    for (std::size_t b = 0; b < 2; ++b) {
      const auto first = static_cast<Size>(b) * length;
      const Size count = is_prompt ? lengths[b] : 1;
      keys[b].insert(keys[b].end(), fresh_k.begin() + first * 8,
                     fresh_k.begin() + (first + count) * 8);
      values[b].insert(values[b].end(), v.begin() + first * 8, v.begin() + (first + count) * 8);
      const Size have = static_cast<Size>(keys[b].size()) / 8, before = have - count;
      const Floats own(fresh_q.begin() + first * 16, fresh_q.begin() + (first + count) * 16);
      const Floats expected = attention(
          {1, kHeads, count, have, kWidth, kWidth}, own, keys[b], values[b],
          [&](Size, Size h, Size i, Size j) {
            const Size place = before + i;
            if (j > place || (window > 0 && j <= place - window)) return kHidden;
            return has_bias ? at(bias, (h * length + i) * total + j) : 0.0F;
          },
          0, kKeys);
      const Floats rows(found.begin() + first * 16, found.begin() + (first + count) * 16);
      expect_near(floats({count, 16}, rows), expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, GroupQuery,
    testing::Values(GroupCase{false, false, false, -1}, GroupCase{true, false, false, -1},
                    GroupCase{false, true, false, -1}, GroupCase{true, true, true, -1},
                    GroupCase{false, false, true, 2}, GroupCase{true, true, false, 1}));

TEST(ContribGroupQuery, GrowsACacheThatIsFull) {
  const auto outputs = run_contrib(
      "g (float[1,1,4] q, float[1,1,4] k, float[1,1,4] v, float[1,1,2,4] pk, float[1,1,2,4] pv,"
      "   int32[1] l, int32 t) => (y, nk, nv) { y, nk, nv = com.microsoft.GroupQueryAttention"
      " <num_heads = 1, kv_num_heads = 1> (q, k, v, pk, pv, l, t) }",
      {{"q", floats({1, 1, 4}, {0, 0, 0, 0})},
       {"k", floats({1, 1, 4}, {9, 9, 9, 9})},
       {"v", floats({1, 1, 4}, {3, 3, 3, 3})},
       {"pk", counting({1, 1, 2, 4})},
       {"pv", floats({1, 1, 2, 4}, {0, 0, 0, 0, 6, 6, 6, 6})},
       {"l", ints({1}, {2})},
       {"t", ints({}, {3})}});
  expect_near(outputs[0], {3, 3, 3, 3});
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{0, 1, 2, 3, 4, 5, 6, 7, 9, 9, 9, 9}));
  EXPECT_EQ(outputs[2].shape(), (Dims{1, 1, 3, 4}));
}

// The second sequence has one key; a window of two places shows the last two places none.
TEST(ContribGroupQuery, GivesZerosWhereAWindowHasNoKey) {
  const Tensor y = run_contrib(
      "g (float[2,4,4] q, float[2,4,4] k, float[2,4,4] v, int32[2] l, int32 t) => (y) {"
      " y = com.microsoft.GroupQueryAttention <num_heads = 1, kv_num_heads = 1,"
      " local_window_size = 2> (q, k, v, \"\", \"\", l, t) }",
      {{"q", floats({2, 4, 4}, Floats(32))},
       {"k", floats({2, 4, 4}, Floats(32))},
       {"v", floats({2, 4, 4}, Floats(32, 3))},
       {"l", ints({2}, {3, 0})},
       {"t", ints({}, {4})}})[0];
  Floats expected(32, 3);
  std::fill(expected.begin() + 24, expected.end(), 0.0F);
  expect_near(y, expected);
}

/// The error of a node whose cache has room for four keys, or that has none.
std::string error_with_lengths(Size length, std::vector<std::int32_t> last, std::int32_t total,
                               bool has_past) {
  const Size batch = static_cast<Size>(last.size());
  Feeds feeds = {
      {"q", floats({batch, length, 4}, Floats(static_cast<std::size_t>(batch * length * 4)))},
      {"l", ints({batch}, last)},
      {"t", ints({}, {total})}};
  std::string graph = "g (float[b,s,4] q, int32[b] l, int32 t";
  if (has_past) {
    graph += ", float[b,1,4,4] past";
    const Floats none(static_cast<std::size_t>(batch * 16));
    feeds.emplace_back("past", floats({batch, 1, 4, 4}, none));
  }
  const std::string past = has_past ? "past" : "\"\"";
  return run_error(graph +
                       ") => (y, nk, nv) { y, nk, nv = com.microsoft.GroupQueryAttention"
                       " <num_heads = 1, kv_num_heads = 1> (q, q, q, " +
                       past + ", " + past + ", l, t) }",
                   feeds);
}

TEST(ContribGroupQuery, RefusesLengthsThatCannotBe) {
  EXPECT_EQ(error_with_lengths(3, {0, 2}, 3, false), "");
  EXPECT_THAT(error_with_lengths(3, {-1, 2}, 3, false),
              HasSubstr("seqlens_k[0] is -1; it must be from 0 to 2"));
  EXPECT_THAT(error_with_lengths(3, {0, 3}, 3, false),
              HasSubstr("seqlens_k[1] is 3; it must be from 0 to 2"));
  EXPECT_THAT(error_with_lengths(1, {std::numeric_limits<std::int32_t>::max()}, 1, false),
              HasSubstr("seqlens_k is 2147483647; it must be from 0 to 0"));
  EXPECT_THAT(error_with_lengths(3, {2}, 4, false),
              HasSubstr("total_sequence_length is 4; it must be from 3 to 3"));
  EXPECT_THAT(error_with_lengths(3, {2}, -5, false), HasSubstr("total_sequence_length is -5"));
}

TEST(ContribGroupQuery, RefusesLengthsThatItsPastCannotHave) {
  EXPECT_EQ(error_with_lengths(1, {1}, 2, true), "");
  EXPECT_EQ(error_with_lengths(1, {3}, 4, true), "");
  EXPECT_EQ(error_with_lengths(3, {0}, 3, true), "") << "a prompt that is padded";
  EXPECT_THAT(error_with_lengths(1, {-1}, 2, true),
              HasSubstr("seqlens_k is -1; it must be from 0 to 1"));
  EXPECT_THAT(error_with_lengths(1, {4}, 4, true),
              HasSubstr("seqlens_k is 4; it must be from 0 to 3"));
  EXPECT_THAT(error_with_lengths(3, {1}, 5, true),
              HasSubstr("seqlens_k is 1; it must be from 2 to 4"))
      << "three new keys, of which two are said to be all";
  EXPECT_THAT(error_with_lengths(1, {0}, 0, true), HasSubstr("total_sequence_length is 0"));
  EXPECT_THAT(error_with_lengths(3, {1}, 2, true),
              HasSubstr("total_sequence_length is 2; it must be from 3"));
}

TEST(ContribGroupQuery, RefusesWhatItDoesNotHave) {
  const auto refused = [](const std::string& attributes, const std::string& more = "") {
    return refusal(
        contrib_model("g (float[1,1,4] q, int32[1] l, int32 t, float[1] h) => (y) {"
                      " y = com.microsoft.GroupQueryAttention <num_heads = 2, kv_num_heads = 1" +
                      attributes + "> (q, \"\", \"\", \"\", \"\", l, t" + more + ") }"));
  };
  EXPECT_EQ(refused(""), "");
  EXPECT_THAT(refused(", smooth_softmax = 1"), HasSubstr("smooth_softmax"));
  EXPECT_THAT(refused(", k_quant_type = \"PER_TENSOR\""), HasSubstr("k_quant_type"));
  EXPECT_THAT(refused(", do_rotary = 1"), HasSubstr("cos_cache"));
  EXPECT_THAT(refused("", ", \"\", \"\", \"\", \"\", h"), HasSubstr("head_sink"));
}

}  // namespace
}  // namespace switchyard
