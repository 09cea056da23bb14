// Attention of Microsoft's domain, which projects its input itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/contrib_attention_reference.hpp"

namespace switchyard {
namespace {

using namespace reference;
using testing::HasSubstr;

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

}  // namespace
}  // namespace switchyard
