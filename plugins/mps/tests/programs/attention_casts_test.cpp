// Attention whose nodes are of two types, with casts between.
#include <algorithm>

#include "attention_forms.hpp"

namespace mps::program_tests {
namespace {

Id cast(Model& model, Id x, const Shape& shape, sy_dtype to) {
  return model.node("Cast", {x}, shape, {{"to", static_cast<int64_t>(to)}}, to);
}

template <typename T>
Id number(Model& model, float value) {
  return model.constant(Shape{}, std::vector<T>{T(value)});
}

constexpr float tiny = -3e38f;  // of no narrow type

// Where the scores become float32: before the product, or before the step of that number.
enum class Widened : uint8_t { operands, scale, condition, mask, softmax };

// Products, a scale, a condition and a mask of T but where they are float32, which ends after the
// softmax, or before the mask where `narrows`.
template <typename T>
Model between_types(const Form& form, Widened widened, bool narrows = false) {
  Model model;
  const float small = 1 / std::sqrt(static_cast<float>(form.depth));
  const Shape scores = form.scores();
  Id q = given<T>(model, form.query(), 1, small), k = given<T>(model, form.key(), 2);
  const Id v = given<T>(model, form.value(), 3);
  bool is_wide = false;
  const auto type = [&] { return is_wide ? sy_dtype{SY_FLOAT32} : dtype<T>(); };
  const auto of_type = [&](float value) {
    return is_wide ? number<float>(model, value) : number<T>(model, value);
  };
  Id x = 0;
  const auto widen_before = [&](Widened step) {
    if (widened != step) return;
    x = cast(model, x, scores, SY_FLOAT32);
    is_wide = true;
  };
  if (widened == Widened::operands) {
    is_wide = true;
    q = model.node("Mul", {cast(model, q, form.query(), SY_FLOAT32), of_type(0.299f)},
                   form.query());
    k = cast(model, k, form.key(), SY_FLOAT32);
  }
  x = model.node("MatMul", {q, k}, scores);
  widen_before(Widened::scale);
  x = model.node("Mul", {x, of_type(0.701f)}, scores);
  widen_before(Widened::condition);
  std::vector<Truth> truths;
  for (const float one : numbers({form.queries, form.keys}, 5)) truths.push_back(Truth{one > 1.2f});
  const Id where = model.input(contiguous({form.queries, form.keys}), truths);
  x = model.node("Where", {where, of_type(is_wide ? tiny : -60000.0f), x}, scores, {}, type());
  if (narrows && is_wide) {
    x = cast(model, x, scores, dtype<T>());
    is_wide = false;
  }
  widen_before(Widened::mask);
  const Id mask = is_wide ? given<float>(model, {form.keys}, 9) : given<T>(model, {form.keys}, 9);
  x = model.node("Add", {mask, x}, scores);
  widen_before(Widened::softmax);
  x = model.node("Softmax", {x}, scores, {{"axis", -1}});
  if (is_wide) x = cast(model, x, scores, dtype<T>());
  model.output(model.node("MatMul", {x, v}, form.result()));
  return model;
}

template <typename T>
class AttentionBetweenTypes : public testing::Test {
 protected:
  static constexpr double tolerance = std::is_same_v<T, half> ? half_tolerance : bfloat_tolerance;
};
using Narrow = testing::Types<half, bfloat>;
TYPED_TEST_SUITE(AttentionBetweenTypes, Narrow);

constexpr Widened positions[] = {Widened::operands, Widened::scale, Widened::condition,
                                 Widened::mask, Widened::softmax};

TYPED_TEST(AttentionBetweenTypes, IsOneKernel) {
  for (const int64_t depth : {8, 80}) {
    for (const int64_t queries : {1, 7, 33}) {
      for (const Widened widened : positions) {
        SCOPED_TRACE(sy::text(queries, " of ", depth, ", widened ", static_cast<int>(widened)));
        const Form form{queries, 70, depth, depth, {2}};
        expect_attention(between_types<TypeParam>(form, widened), this->tolerance);
      }
    }
  }
}

TYPED_TEST(AttentionBetweenTypes, RoundsWhereACastNarrows) {
  for (const Widened widened : {Widened::operands, Widened::scale, Widened::condition}) {
    expect_attention(between_types<TypeParam>({}, widened, true), this->tolerance);
  }
}

// Scores of float32 up to 120000, brought down by a factor in float32, or cast to float16 first.
Model large_scores(bool narrows) {
  const Form form{3, 4, 2, 2, {}};
  Model model;
  const Id q = model.input(contiguous(form.query()), std::vector<half>(6, half(300)));
  const std::vector<half> keys = {200, 200.125f, 200.25f, 199, 200, 1, 1, 1};
  const Id k = model.input(contiguous(form.key()), keys);
  const sy_dtype type = narrows ? SY_FLOAT16 : SY_FLOAT32;
  const Id by = narrows ? number<half>(model, 0.02f) : number<float>(model, 0.02f);
  Id x = model.node(
      "MatMul", {cast(model, q, form.query(), SY_FLOAT32), cast(model, k, form.key(), SY_FLOAT32)},
      form.scores());
  if (narrows) x = cast(model, x, form.scores(), type);
  x = model.node("Mul", {x, by}, form.scores());
  x = model.node("Softmax", {x}, form.scores(), {{"axis", -1}});
  if (!narrows) x = cast(model, x, form.scores(), SY_FLOAT16);
  model.output(model.node("MatMul", {x, given<half>(model, form.value(), 3)}, form.result()));
  return model;
}

bool is_finite(Model model) {
  const Bytes bytes = model.whole(OpenStream(device()))[0];
  std::vector<half> elements(bytes.size() / sizeof(half));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return std::all_of(elements.begin(), elements.end(),
                     [](float one) { return std::isfinite(one); });
}

TEST(AttentionWithCasts, RoundsWhereTheNodesDoAndOnlyThere) {
  for (const bool narrows : {false, true}) {
    expect_attention(large_scores(narrows), half_tolerance);
    EXPECT_EQ(is_finite(large_scores(narrows)), !narrows);
  }
}

// Queries of float32 that others made half: their cast is not the kernel's.
TEST(AttentionWithCasts, LeavesWhatMakesItsOperands) {
  const Form form;
  Model model;
  const auto made = [&](const Shape& shape, uint32_t seed) {
    return cast(model, given<float>(model, shape, seed), shape, SY_FLOAT16);
  };
  const Id q = made(form.query(), 1), k = made(form.key(), 2), v = made(form.value(), 3);
  model.output(attended(model, form, q, k, v));
  EXPECT_EQ(model.pieces(device()).attentions, 1u);
  model.expect_same(device(), half_tolerance);
}

TEST(AttentionWithCasts, IsNoneWhereTheProductsAreOfTwoTypes) {
  const Form form;
  Model model;
  Id x = model.node("MatMul",
                    {given<float>(model, form.query(), 1), given<float>(model, form.key(), 2)},
                    form.scores());
  x = model.node("Softmax", {x}, form.scores(), {{"axis", -1}});
  x = cast(model, x, form.scores(), SY_FLOAT16);
  model.output(model.node("MatMul", {x, given<half>(model, form.value(), 3)}, form.result()));
  expect_none(std::move(model), half_tolerance);
}

TEST(AttentionWithCasts, IsNoneByWayOfAThirdType) {
  for (const sy_dtype third : {sy_dtype{SY_BFLOAT16}, sy_dtype{SY_INT32}}) {
    expect_none(plain<half>({},
                            [&](Model& model, Id x, const Shape& shape) {
                              x = cast(model, cast(model, x, shape, SY_FLOAT32), shape, third);
                              return cast(model, x, shape, SY_FLOAT16);
                            }),
                half_tolerance);
  }
}

TEST(AttentionWithCasts, IsNoneWhereSomebodyReadsACast) {
  const Form form;
  Model model;
  Id x =
      model.node("MatMul", {given<half>(model, form.query(), 1), given<half>(model, form.key(), 2)},
                 form.scores());
  x = cast(model, x, form.scores(), SY_FLOAT32);
  model.output(x);
  x = cast(model, model.node("Softmax", {x}, form.scores(), {{"axis", -1}}), form.scores(),
           SY_FLOAT16);
  model.output(model.node("MatMul", {x, given<half>(model, form.value(), 3)}, form.result()));
  expect_none(std::move(model), half_tolerance);
}

}  // namespace
}  // namespace mps::program_tests
