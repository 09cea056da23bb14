// MultiHeadAttention of Microsoft's domain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/contrib_attention_reference.hpp"

namespace switchyard {
namespace {

using namespace reference;
using testing::HasSubstr;

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
  EXPECT_EQ(error.kind(), ErrorKind::shape_mismatch);
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

}  // namespace
}  // namespace switchyard
