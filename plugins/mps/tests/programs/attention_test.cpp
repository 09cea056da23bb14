// Nodes of programs that are run as attention, against the same nodes one by one: in all sizes and
// layouts, scaled and masked.
#include "attention_forms.hpp"

namespace mps::program_tests {
namespace {

class AttentionOfDepth : public testing::TestWithParam<int64_t> {
 protected:
  template <typename T>
  void expect_all_lengths(double tolerance) {
    for (const int64_t queries : {1, 7, 64, 65}) {
      for (const int64_t keys : {1, 33, 128, 130}) {
        SCOPED_TRACE(sy::text(queries, " queries, ", keys, " keys"));
        const Form form{queries, keys, GetParam(), GetParam(), {2}};
        expect_attention(plain<T>(form, added<T>({queries, keys})), tolerance);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Depths, AttentionOfDepth, testing::Values(1, 8, 64, 80, 256));

TEST_P(AttentionOfDepth, OfFloats) { expect_all_lengths<float>(float_tolerance); }
TEST_P(AttentionOfDepth, OfHalves) { expect_all_lengths<half>(half_tolerance); }

TEST(Attention, OfBfloats) {
  for (const int64_t queries : {1, 33}) {
    const Form form{queries, 70, 64, 64, {2}};
    expect_attention(plain<bfloat>(form, added<bfloat>({queries, 70})), bfloat_tolerance);
  }
}

TEST(Attention, HasValuesOfAnotherDepthThanKeys) {
  expect_attention(plain<float>({5, 40, 8, 80}));
  expect_attention(plain<float>({5, 40, 80, 1}));
  expect_attention(plain<float>({1, 40, 3, 256}));
  expect_attention(plain<float>({40, 40, 129, 7}));
}

TEST(Attention, SaysWhatItIs) {
  Model model = plain<float>({}, added<float>({33}));
  EXPECT_EQ(model.program(device()).entries()[0].name, "attention (4)");
  EXPECT_EQ(model.program(device()).workspace_bytes(), 0u);
}

TEST(Attention, TakesAnyBatch) {
  for (const Shape& batch : {Shape{}, Shape{1}, Shape{3}, Shape{1, 3, 2}}) {
    expect_attention(plain<float>({7, 33, 8, 8, batch}));
  }
}

TEST(Attention, RepeatsWhatIsBroadcastOverTheBatch) {
  const Form form{7, 33, 8, 8, {3, 2}};
  for (const Shape& query : {Shape{3, 1}, Shape{2}, Shape{3, 2}}) {
    for (const Shape& value : {Shape{}, Shape{1, 1}, Shape{3, 1}}) {
      Model model;
      Form of_query = form, of_value = form;
      of_query.batch = query;
      of_value.batch = value;
      const Id q = given<float>(model, of_query.query(), 1, 0.3f);
      const Id k = given<float>(model, form.key(), 2);
      const Id v = given<float>(model, of_value.value(), 3);
      model.output(attended(model, form, q, k, v, added<float>({2, 1, 33})));
      expect_attention(std::move(model));
    }
  }
}

TEST(Attention, AddsMasksOfAnyShape) {
  for (const Shape& mask : {Shape{33}, Shape{1}, Shape{7, 1}, Shape{7, 33}, Shape{2, 1, 1, 33},
                            Shape{1, 3, 7, 33}, Shape{2, 3, 7, 33}, Shape{2, 3, 1, 1}}) {
    expect_attention(plain<float>({}, added<float>(mask)));
    expect_attention(plain<half>({}, added<half>(mask)), half_tolerance);
  }
}

TEST(Attention, AddsAMaskFromTheLeft) {
  expect_attention(plain<float>({}, [](Model& model, Id x, const Shape& shape) {
    return model.node("Add", {given<float>(model, shape, 9), x}, shape);
  }));
}

// The scores by way of some op and a number.
Between scaled_scores(const char* op, bool from_left, bool is_constant = true) {
  return [=](Model& model, Id x, const Shape& shape) {
    const std::vector<float> number = {2.5f};
    const Id by = is_constant ? model.constant(Shape{}, number)
                              : model.input(runtime_tests::shifted({1, 1}), number);
    const std::vector<Id> inputs = from_left ? std::vector<Id>{by, x} : std::vector<Id>{x, by};
    return model.node("Add", {model.node(op, inputs, shape), given<float>(model, {33}, 9)}, shape);
  };
}

TEST(Attention, ScalesScores) {
  for (const bool is_constant : {true, false}) {
    expect_attention(plain<float>({}, scaled_scores("Mul", false, is_constant)));
    expect_attention(plain<float>({}, scaled_scores("Mul", true, is_constant)));
    expect_attention(plain<float>({}, scaled_scores("Div", false, is_constant)));
  }
  Model quotient = plain<float>({}, scaled_scores("Div", true));
  EXPECT_EQ(quotient.pieces(device()).attentions, 0u);
}

TEST(Attention, ScalesHalvesWhereTheSingleOpsRound) {
  const Form form;
  Model model;
  const auto by = [&](float number) {
    return model.constant(Shape{}, std::vector<half>{half(number)});
  };
  const Id q = model.node("Mul", {given<half>(model, form.query(), 1), by(0.299f)}, form.query());
  const Id k = model.node("Div", {given<half>(model, form.key(), 2), by(1.701f)}, form.key());
  const Id v = given<half>(model, form.value(), 3);
  model.output(attended(model, form, q, k, v, [&](Model&, Id x, const Shape& shape) {
    return model.node("Mul", {by(0.7f), x}, shape);
  }));
  expect_attention(std::move(model), half_tolerance);
}

TEST(Attention, ScalesQueriesAndKeys) {
  const Form form;
  for (const bool scales_query : {true, false}) {
    for (const bool scales_key : {true, false}) {
      Model model;
      const Id by = model.constant(Shape{}, std::vector<float>{0.6f});
      Id q = given<float>(model, form.query(), 1);
      Id k = given<float>(model, form.key(), 2);
      if (scales_query) q = model.node("Mul", {by, q}, form.query());
      if (scales_key) k = model.node("Div", {k, by}, form.key());
      model.output(attended(model, form, q, k, given<float>(model, form.value(), 3)));
      expect_attention(std::move(model));
    }
  }
}

TEST(Attention, LeavesScaledQueriesToOthersWhoReadThem) {
  const Form form;
  Model model;
  const Id by = model.constant(Shape{}, std::vector<float>{0.6f});
  const Id q = model.node("Mul", {given<float>(model, form.query(), 1), by}, form.query());
  model.output(q);
  model.output(attended(model, form, q, given<float>(model, form.key(), 2),
                        given<float>(model, form.value(), 3)));
  EXPECT_EQ(model.pieces(device()), (Pieces{1, 0, 0, 1}));
  model.expect_same(device(), float_tolerance);
}

// Where(condition, fill, x) or Where(condition, x, fill), and a mask after it.
template <typename T>
Between chosen(const Shape& condition, bool fills_where, float fill) {
  return [=](Model& model, Id x, const Shape& shape) {
    std::vector<Truth> truths;
    for (const float number : numbers(condition, 5)) truths.push_back(Truth{number > 0.4f});
    const Id where = model.input(contiguous(condition), truths);
    const Id other = model.constant(Shape{}, std::vector<T>{T(fill)});
    const std::vector<Id> inputs =
        fills_where ? std::vector<Id>{where, other, x} : std::vector<Id>{where, x, other};
    x = model.node("Where", inputs, shape, {}, dtype<T>());
    return model.node("Add", {x, given<T>(model, {1, 1}, 9)}, shape);
  };
}

TEST(Attention, FillsScoresWhereAConditionSaysSo) {
  for (const Shape& condition : {Shape{33}, Shape{7, 33}, Shape{2, 1, 7, 1}, Shape{2, 3, 7, 33}}) {
    for (const bool fills_where : {true, false}) {
      expect_attention(plain<float>({}, chosen<float>(condition, fills_where, -infinity)));
      expect_attention(plain<half>({}, chosen<half>(condition, fills_where, -3)), half_tolerance);
    }
  }
}

TEST(Attention, TakesConditionsWithoutMasks) {
  expect_attention(plain<float>({}, [](Model& model, Id x, const Shape& shape) {
    const Id where = model.input(contiguous({33, 1}), std::vector<Truth>(33));
    const Id turned =
        model.node("Transpose", {where}, {1, 33}, {{"perm", std::vector<int64_t>{1, 0}}});
    const Id fill = model.constant(Shape{1}, std::vector<float>{1});
    return model.node("Where", {turned, fill, x}, shape, {}, SY_FLOAT32);
  }));
}

TEST(Attention, SeesHeadsAsViews) {
  // [batch, length, heads, depth] as [batch, heads, length, depth], and keys turned.
  const int64_t n = 2, heads = 3, queries = 9, keys = 37, depth = 8;
  const Form form{queries, keys, depth, depth, {n, heads}};
  Model model;
  const auto split = [&](int64_t length, const std::vector<int64_t>& order, const Shape& shape,
                         uint32_t seed) {
    const Id x = given<float>(model, {n, length, heads, depth}, seed, 0.6f);
    return model.node("Transpose", {x}, shape, {{"perm", order}});
  };
  const Id q = split(queries, {0, 2, 1, 3}, form.query(), 1);
  const Id k = split(keys, {0, 2, 3, 1}, form.key(), 2);
  const Id v = split(keys, {0, 2, 1, 3}, form.value(), 3);
  const Id y = attended(model, form, q, k, v, added<float>({n, 1, 1, keys}));
  const Id turned = model.node("Transpose", {y}, {n, queries, heads, depth},
                               {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
  model.output(model.node("Reshape", {turned, model.host({n, queries, heads * depth})},
                          {n, queries, heads * depth}));
  EXPECT_EQ(model.pieces(device()).attentions, 1u);
  model.expect_same(device(), float_tolerance);
}

TEST(Attention, ReadsAndWritesAnyLayout) {
  const Form form{7, 33, 8, 6, {2, 3}};
  const Shape mask{3, 7, 33};
  const size_t count = runtime_tests::layouts(form.query()).size();
  for (size_t i = 0; i < count; ++i) {
    const auto layout = [&](const Shape& shape, size_t which) {
      return runtime_tests::layouts(shape)[(i + which) % count];
    };
    Model model;
    const Id q = model.input(layout(form.query(), 0), elements<float>(form.query(), 1, 0.3f));
    const Id k = model.input(layout(form.key(), 1), elements<float>(form.key(), 2));
    const Id v = model.input(layout(form.value(), 2), elements<float>(form.value(), 3));
    const Id added = model.input(layout(mask, 3), elements<float>(mask, 4));
    const Id y = attended(model, form, q, k, v, [&](Model&, Id x, const Shape& shape) {
      return model.node("Add", {x, added}, shape);
    });
    model.output(y, layout(form.result(), 4));
    expect_attention(std::move(model));
  }
}

}  // namespace
}  // namespace mps::program_tests
