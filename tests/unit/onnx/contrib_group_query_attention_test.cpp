// GroupQueryAttention and RotaryEmbedding of Microsoft's domain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/contrib_attention_reference.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using namespace reference;
using testing::HasSubstr;

TEST(ContribRotary, RotatesByPosition) {
  Numbers numbers;
  const Floats x = numbers.many(2 * 3 * 8), cosines = numbers.many(20), sines = numbers.many(20);
  const auto run = [&](const std::string& attributes, const std::string& positions, const Tensor& p,
                       Size half) {
    return run_contrib("g (float[n,s,8] x, int64" + positions +
                           " p, float[m,h] c, float[m,h] d) => (y)"
                           " { y = com.microsoft.RotaryEmbedding <" +
                           attributes + "> (x, p, c, d) }",
                       {{"x", floats({2, 3, 8}, x)},
                        {"p", p},
                        {"c", floats({20 / half, half}, cosines)},
                        {"d", floats({20 / half, half}, sines)}})[0];
  };
  const auto each = host_tensor<Size>({2, 3}, {4, 0, 1, 2, 3, 4});
  expect_near(run("interleaved = 0", "[n,s]", each, 2),
              rotated(x, 6, 2, 4, cosines, sines, 4, false, {4, 0, 1, 2, 3, 4}));
  expect_near(run("interleaved = 1", "[1]", host_tensor<Size>({1}, {2}), 2),
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
    std::vector<Size> positions;
    for (std::size_t b = 0; b < 2; ++b) {
      last.push_back(static_cast<std::int32_t>(is_prompt ? lengths[b] - 1 : lengths[b]));
      for (Size i = 0; i < length; ++i) positions.push_back(is_prompt ? i : lengths[b]);
    }
    const auto turned = [&](const Floats& each, Size heads) {
      return rotates ? rotated(each, 2 * length, heads, kWidth, cosines, sines, 4, false, positions)
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
            const Size position = before + i;
            if (j > position || (window > 0 && j <= position - window)) return kHidden;
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

// A head of 4 of which 2 are rotated, with tables whose width is declared or shows in the run.
TEST(ContribGroupQuery, RotatesAsMuchOfAHeadAsItsTablesAreWide) {
  Numbers numbers;
  const Floats q = numbers.many(12), k = numbers.many(12), v = numbers.many(12);
  const auto run = [&](const std::string& table) {
    return run_contrib(
        "g (float[1,3,4] q, float[1,3,4] k, float[1,3,4] v, int32[1] l, int32 t, float" + table +
            " c, float" + table +
            " d) => (y) { y = com.microsoft.GroupQueryAttention <num_heads = 1,"
            " kv_num_heads = 1, do_rotary = 1>"
            " (q, k, v, \"\", \"\", l, t, c, d) }",
        {{"q", floats({1, 3, 4}, q)},
         {"k", floats({1, 3, 4}, k)},
         {"v", floats({1, 3, 4}, v)},
         {"l", ints({1}, {2})},
         {"t", ints({}, {3})},
         {"c", floats({3, 1}, {1, 0.5, -0.25})},
         {"d", floats({3, 1}, {0, 0.75, 0.5})}})[0];
  };
  expect_near(run("[m,h]"), run("[3,1]").to_vector<float>());
}

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

// The second sequence has one key; a window of two positions shows the last two positions none.
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
