// Nodes of programs that are run as attention, against the same nodes one by one.
#include "ops/attention.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "nets.hpp"

namespace mps::program_tests {
namespace {

using op_tests::bfloat;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr double float_tolerance = 2e-5;
constexpr double half_tolerance = 4e-3;
constexpr double bfloat_tolerance = 3e-2;
constexpr Pieces only_attention{0, 0, 0, 1};

const OpenDevice& device() {
  static const OpenDevice opened;
  return opened;
}

struct Form {
  int64_t queries = 7, keys = 33, depth = 8, columns = 8;
  Shape batch = {2, 3};

  Shape matrix(int64_t rows, int64_t columns) const {
    Shape shape = batch;
    shape.insert(shape.end(), {rows, columns});
    return shape;
  }
  Shape query() const { return matrix(queries, depth); }
  Shape key() const { return matrix(depth, keys); }
  Shape value() const { return matrix(keys, columns); }
  Shape scores() const { return matrix(queries, keys); }
  Shape result() const { return matrix(queries, columns); }
};

// What stands between the first product and the softmax.
using Between = std::function<Id(Model& model, Id scores, const Shape& shape)>;

Id attended(Model& model, const Form& form, Id q, Id k, Id v, const Between& between = {}) {
  Id x = model.node("MatMul", {q, k}, form.scores());
  if (between) x = between(model, x, form.scores());
  x = model.node("Softmax", {x}, form.scores(), {{"axis", -1}});
  return model.node("MatMul", {x, v}, form.result());
}

template <typename T>
Id given(Model& model, const Shape& shape, uint32_t seed, float scale = 1) {
  return model.input(contiguous(shape), elements<T>(shape, seed, scale));
}

// Of inputs that lie as they should.
template <typename T>
Model plain(const Form& form, const Between& between = {}) {
  Model model;
  const float small = 1 / std::sqrt(static_cast<float>(form.depth));
  const Id q = given<T>(model, form.query(), 1, small);
  const Id k = given<T>(model, form.key(), 2);
  const Id v = given<T>(model, form.value(), 3);
  model.output(attended(model, form, q, k, v, between));
  return model;
}

void expect_attention(Model model, double tolerance = float_tolerance) {
  EXPECT_EQ(model.pieces(device()), only_attention);
  model.expect_same(device(), tolerance);
}

void expect_none(Model model, double tolerance = float_tolerance) {
  EXPECT_EQ(model.pieces(device()).attentions, 0u);
  model.expect_same(device(), tolerance);
}

// A mask of such a shape, of numbers.
template <typename T>
Between added(const Shape& mask) {
  return [=](Model& model, Id x, const Shape& shape) {
    return model.node("Add", {x, given<T>(model, mask, 9)}, shape);
  };
}

// What every head and every entry of the batch has in common: a row's number where `is_seen`, else
// negative infinity.
template <typename T>
std::vector<T> hidden(int64_t queries, int64_t keys,
                      const std::function<bool(int64_t row, int64_t key)>& is_seen) {
  std::vector<T> mask;
  for (int64_t row = 0; row < queries; ++row) {
    for (int64_t key = 0; key < keys; ++key) mask.emplace_back(is_seen(row, key) ? 0 : -infinity);
  }
  return mask;
}

template <typename T>
Model hiding(const Form& form, const std::function<bool(int64_t row, int64_t key)>& is_seen) {
  return plain<T>(form, [&](Model& model, Id x, const Shape& shape) {
    const Id mask = model.input(contiguous({form.queries, form.keys}),
                                hidden<T>(form.queries, form.keys, is_seen));
    return model.node("Add", {x, mask}, shape);
  });
}

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
Between scaled(const char* op, bool from_left, bool is_constant = true) {
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
    expect_attention(plain<float>({}, scaled("Mul", false, is_constant)));
    expect_attention(plain<float>({}, scaled("Mul", true, is_constant)));
    expect_attention(plain<float>({}, scaled("Div", false, is_constant)));
  }
  Model quotient = plain<float>({}, scaled("Div", true));
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

TEST(Attention, HidesWhatIsToCome) {
  const auto causal = [](int64_t row, int64_t key) { return key <= row; };
  for (const int64_t length : {5, 64, 70}) {
    expect_attention(hiding<float>({length, length, 8, 8}, causal));
    expect_attention(hiding<half>({length, length, 80, 80}, causal), half_tolerance);
  }
}

TEST(Attention, HidesWholeTiles) {
  for (const int64_t depth : {8, 80, 200}) {
    const Form form{5, 130, depth, depth, {2}};
    expect_attention(hiding<float>(form, [](int64_t, int64_t key) { return key >= 100; }));
    expect_attention(hiding<float>(form, [](int64_t, int64_t key) { return key == 40; }));
    expect_attention(hiding<float>(form, [](int64_t, int64_t key) { return key < 3; }));
  }
}

TEST(Attention, OfNothingIsNan) {
  const auto is_seen = [](int64_t row, int64_t key) { return row % 3 != 1 && key > 2; };
  for (const int64_t keys : {3, 33, 130}) {
    Model model = hiding<float>({7, keys, 8, 8, {2}}, is_seen);
    const OpenStream stream(device());
    const Bytes bytes = model.whole(stream)[0];
    for (size_t i = 0; i < bytes.size() / 4; ++i) {
      float number;
      std::memcpy(&number, &bytes[4 * i], 4);
      const bool is_hidden = i / 8 % 7 % 3 == 1 || keys == 3;
      ASSERT_EQ(std::isnan(number), is_hidden) << keys << " keys, element " << i;
    }
    expect_attention(std::move(model));
  }
  expect_attention(hiding<half>({7, 33, 8, 8, {2}}, is_seen), half_tolerance);
}

// NaN and infinities at some places of one of the inputs.
TEST(Attention, HandsOnNanAndInfinity) {
  for (const int64_t keys : {33, 130}) {
    for (size_t which = 0; which < 4; ++which) {
      for (const float wild : {nan, infinity, -infinity}) {
        SCOPED_TRACE(sy::text(keys, " keys, input ", which, ", ", wild));
        const Form form{7, keys, 8, 8, {2}};
        const Shape shapes[] = {form.query(), form.key(), form.value(), form.scores()};
        Model model;
        std::vector<Id> inputs;
        for (size_t i = 0; i < 4; ++i) {
          std::vector<float> given = elements<float>(shapes[i], static_cast<uint32_t>(i));
          if (i == which) given[19] = given[given.size() - 5] = wild;
          inputs.push_back(model.input(contiguous(shapes[i]), given));
        }
        model.output(attended(model, form, inputs[0], inputs[1], inputs[2],
                              [&](Model&, Id x, const Shape& shape) {
                                return model.node("Add", {x, inputs[3]}, shape);
                              }));
        expect_attention(std::move(model));
      }
    }
  }
}

// A weight of 0 times infinity is NaN, also where only later keys make it 0.
TEST(Attention, OfInfiniteValuesThatNobodySees) {
  const Form form{3, 130, 4, 4, {}};
  for (const size_t key : {size_t{0}, size_t{129}}) {
    Model model;
    std::vector<float> values = elements<float>(form.value(), 3);
    values[4 * key] = infinity;
    std::vector<float> mask(130);
    mask[key] = -500;
    const Id q = given<float>(model, form.query(), 1);
    const Id k = given<float>(model, form.key(), 2);
    const Id v = model.input(contiguous(form.value()), values);
    model.output(attended(model, form, q, k, v, [&](Model&, Id x, const Shape& shape) {
      return model.node("Add", {x, model.input(contiguous({130}), mask)}, shape);
    }));
    expect_attention(std::move(model));
  }
}

TEST(Attention, OfTheLargestValuesStaysFinite) {
  const Form form{3, 130, 4, 4, {}};
  Model model;
  const Id q = given<float>(model, form.query(), 1, 0.1f);
  const Id k = given<float>(model, form.key(), 2);
  const Id v = model.input(contiguous(form.value()), std::vector<float>(520, 3e38f));
  model.output(attended(model, form, q, k, v));
  expect_attention(std::move(model));
}

TEST(Attention, OfScoresThatLieFarApart) {
  const Form form{7, 130, 8, 8, {2}};
  Model model;
  const Id q = given<float>(model, form.query(), 1, 100);
  const Id k = given<float>(model, form.key(), 2, 100);
  model.output(attended(model, form, q, k, given<float>(model, form.value(), 3)));
  expect_attention(std::move(model), 1e-3);
}

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
