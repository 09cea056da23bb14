// Which nodes of a program are attention, and which look like it.
#include "ops/attention/attention.hpp"

#include "attention_forms.hpp"

namespace mps::program_tests {
namespace {

// What somebody else reads must be made.
class AttentionReadBeside : public testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(Values, AttentionReadBeside, testing::Values(0, 1, 2, 3));

TEST_P(AttentionReadBeside, IsNotOneKernel) {
  const Form form;
  for (const bool is_output : {true, false}) {
    Model model;
    std::vector<Id> made;
    const Shape shape = form.scores();
    made.push_back(model.node(
        "MatMul", {given<float>(model, form.query(), 1), given<float>(model, form.key(), 2)},
        shape));
    const Id by = model.constant(Shape{}, std::vector<float>{0.3f});
    made.push_back(model.node("Mul", {made[0], by}, shape));
    made.push_back(model.node("Add", {made[1], given<float>(model, {33}, 4)}, shape));
    made.push_back(model.node("Softmax", {made[2]}, shape, {{"axis", 3}}));
    model.output(
        model.node("MatMul", {made[3], given<float>(model, form.value(), 3)}, form.result()));
    const Id read = made[GetParam()];
    const Id turned = model.node("Transpose", {read}, {3, 2, 33, 7},
                                 {{"perm", std::vector<int64_t>{1, 0, 3, 2}}});
    model.output(is_output ? turned : model.node("Abs", {turned}, {3, 2, 33, 7}));
    expect_none(std::move(model));
  }
}

TEST(NoAttention, AlongAnotherAxis) {
  const Form form{33, 33, 8, 8, {2}};
  Model model;
  Id x = model.node("MatMul",
                    {given<float>(model, form.query(), 1), given<float>(model, form.key(), 2)},
                    form.scores());
  x = model.node("Softmax", {x}, form.scores(), {{"axis", 1}});
  model.output(model.node("MatMul", {x, given<float>(model, form.value(), 3)}, form.result()));
  expect_none(std::move(model));
}

TEST(NoAttention, WithWeightsOnTheRight) {
  const Form form{8, 8, 8, 8, {2}};
  Model model;
  Id x = model.node("MatMul",
                    {given<float>(model, form.query(), 1), given<float>(model, form.key(), 2)},
                    form.scores());
  x = model.node("Softmax", {x}, form.scores(), {{"axis", -1}});
  model.output(model.node("MatMul", {given<float>(model, form.value(), 3), x}, form.result()));
  expect_none(std::move(model));
}

TEST(NoAttention, BeyondTheKernelsRoom) {
  expect_none(plain<float>({3, 5, 257, 8}));
  expect_none(plain<float>({3, 5, 8, 257}));
}

TEST(NoAttention, WhereTheMaskIsLargerThanTheScores) {
  Model model;
  Form one{7, 33, 8, 8, {1}}, all{7, 33, 8, 8, {3}};
  Id x =
      model.node("MatMul", {given<float>(model, one.query(), 1), given<float>(model, one.key(), 2)},
                 one.scores());
  x = model.node("Add", {x, given<float>(model, all.scores(), 4)}, all.scores());
  x = model.node("Softmax", {x}, all.scores(), {{"axis", -1}});
  model.output(model.node("MatMul", {x, given<float>(model, all.value(), 3)}, all.result()));
  expect_none(std::move(model));
}

TEST(NoAttention, WhereTheValuesHaveALargerBatch) {
  Model model;
  Form one{7, 33, 8, 8, {1}}, all{7, 33, 8, 8, {3}};
  Id x =
      model.node("MatMul", {given<float>(model, one.query(), 1), given<float>(model, one.key(), 2)},
                 one.scores());
  x = model.node("Softmax", {x}, one.scores(), {{"axis", -1}});
  model.output(model.node("MatMul", {x, given<float>(model, all.value(), 3)}, all.result()));
  expect_none(std::move(model));
}

TEST(NoAttention, WithoutQueriesOrKeys) {
  expect_none(plain<float>({0, 5, 8, 8}));
  expect_none(plain<float>({5, 4, 8, 8, {0}}));
}

TEST(AttentionSizes, HaveLimits) {
  EXPECT_TRUE(fits_attention(1, 1, 1, 1, 1));
  EXPECT_TRUE(fits_attention(1, 1, 1, 256, 256));
  EXPECT_FALSE(fits_attention(1, 1, 1, 257, 1));
  EXPECT_FALSE(fits_attention(1, 1, 1, 1, 257));
  EXPECT_FALSE(fits_attention(0, 1, 1, 1, 1));
  EXPECT_FALSE(fits_attention(1, 1, 0, 1, 1));
  // 2^32 - 1 threads at most.
  EXPECT_TRUE(fits_attention((1 << 25) - 1, 1, 1, 64, 64));
  EXPECT_FALSE(fits_attention(1 << 25, 1, 1, 64, 64));
  EXPECT_FALSE(fits_attention(1 << 24, 33, 1, 64, 64));
  EXPECT_FALSE(fits_attention(1, int64_t{1} << 31, 1, 8, 8));
}

// Pieces before, between and after, that must not be joined around one.
TEST(Attention, PartsWhatComesBeforeFromWhatComesAfter) {
  const Form form{6, 6, 6, 6, {2}};
  Model model;
  Id x = given<float>(model, form.query(), 1);
  const Id early = model.node("Relu", {given<float>(model, form.query(), 5)}, form.query());
  for (int layer = 0; layer < 2; ++layer) {
    const Id q = model.node("Sin", {x}, form.query());
    const Id k = model.node("Cos", {x}, form.key());
    const Id mask = layer == 0 ? early : x;
    const Id v = model.node("Add", {x, early}, form.value());
    x = attended(model, form, q, k, v, [&](Model&, Id scores, const Shape& shape) {
      return model.node("Add", {scores, mask}, shape);
    });
  }
  model.output(model.node("Add", {x, early}, form.result()));
  const Pieces pieces = model.pieces(device());
  EXPECT_EQ(pieces.attentions, 2u);
  model.expect_same(device(), float_tolerance);
}

// The second product of one is the first of the next.
TEST(Attention, SharesNoNodeWithAnother) {
  const Form form{8, 8, 8, 8, {2}};
  Model model;
  const Id q = given<float>(model, form.query(), 1), k = given<float>(model, form.key(), 2);
  const Id v = given<float>(model, form.value(), 3), w = given<float>(model, form.value(), 4);
  const Id x = attended(model, form, q, k, v);
  const Id weights = model.node("Softmax", {x}, form.scores(), {{"axis", -1}});
  model.output(model.node("MatMul", {weights, w}, form.result()));
  EXPECT_EQ(model.pieces(device()).attentions, 1u);
  model.expect_same(device(), float_tolerance);
}

}  // namespace
}  // namespace mps::program_tests
