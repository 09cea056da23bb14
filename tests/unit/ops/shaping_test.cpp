// Tensors made of shapes and a few numbers.
#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::int64_t> shape_of(Dims shape, std::int64_t start, std::int64_t end) {
  InferOp op("Shape", with("start", start, "end", end));
  return op.input(std::move(shape)).literal().to_int64s();
}

TEST(ShapeTest, TakesAPartOfTheExtents) {
  EXPECT_THAT(InferOp("Shape").input({2, 3, 4}).literal().to_int64s(), ElementsAre(2, 3, 4));
  EXPECT_THAT(InferOp("Shape").input({}).literal().to_int64s(), IsEmpty());
  EXPECT_THAT(shape_of({2, 3, 4}, 1, 2), ElementsAre(3));
  EXPECT_THAT(shape_of({2, 3, 4}, -1, 9), ElementsAre(4));
  EXPECT_THAT(shape_of({2, 3, 4}, -9, -1), ElementsAre(2, 3));
  EXPECT_THAT(shape_of({2, 3, 4}, 2, 1), IsEmpty());
}

TEST(ShapeTest, HasAnExtentBeforeItHasAValue) {
  EXPECT_EQ(InferOp("Shape", with("start", std::int64_t{1})).input({kUnknown, kUnknown}).output(),
            "int64 [1]");
  EXPECT_EQ(InferOp("Shape").input_of_unknown_rank().output(), "int64 [?]");
}

TEST(SizeTest, CountsElements) {
  EXPECT_THAT(InferOp("Size").input({2, 3}).literal().to_int64s(), ElementsAre(6));
  EXPECT_THAT(InferOp("Size").input({}).literal().to_int64s(), ElementsAre(1));
  EXPECT_THAT(InferOp("Size").input({4, 0}).literal().to_int64s(), ElementsAre(0));
  EXPECT_EQ(InferOp("Size").input_of_unknown_rank().output(), "int64 []");
}

TEST(ConstantTest, TakesItsValueInAnyForm) {
  const std::vector<std::int64_t> ints = {4, 5};
  const std::vector<float> floats = {0.5f};
  EXPECT_THAT(InferOp("Constant", with("value_int", std::int64_t{7})).literal().to_int64s(),
              ElementsAre(7));
  EXPECT_EQ(InferOp("Constant", with("value_int", std::int64_t{7})).output(), "int64 []");
  EXPECT_EQ(InferOp("Constant", with("value_ints", ints)).output(), "int64 [2]");
  EXPECT_EQ(InferOp("Constant", with("value_float", 0.5f)).output(), "float32 []");
  EXPECT_THAT(InferOp("Constant", with("value_floats", floats)).literal().values<float>(),
              ElementsAre(0.5f));
  EXPECT_EQ(InferOp("Constant", with("value_string", std::string("a"))).output(), "string []");
  EXPECT_THAT(InferOp("Constant", with("value_strings", std::vector<std::string>{"a", "b"}))
                  .literal()
                  .strings(),
              ElementsAre("a", "b"));
  EXPECT_EQ(InferOp("Constant", with("value", Literal(DType::int4, {3}))).output(), "int4 [3]");
}

TEST(ConstantTest, NeedsOneValue) {
  EXPECT_THAT(InferOp("Constant").error(), HasSubstr("no value"));
  EXPECT_THAT(InferOp("Constant", with("value_int", std::int64_t{1}, "value_float", 1.0f)).error(),
              HasSubstr("both value_int and value_float"));
}

TEST(ConstantOfShapeTest, HasTheTypeOfItsValue) {
  const Literal one = scalar_literal(DType::int32, 1);
  EXPECT_EQ(InferOp("ConstantOfShape").ints({2, 0}).output(), "float32 [2, 0]");
  EXPECT_EQ(InferOp("ConstantOfShape", with("value", one)).ints({}).output(), "int32 []");
  EXPECT_EQ(InferOp("ConstantOfShape").input(DType::int64, {2}).output(), "float32 [?, ?]");
  EXPECT_EQ(InferOp("ConstantOfShape").input(DType::int64, {kUnknown}).output(), "float32");
  EXPECT_EQ(InferOp("ConstantOfShape").input(DType::int64, {1LL << 40}).output(), "float32");
  EXPECT_THAT(InferOp("ConstantOfShape").ints({2, -1}).error(), HasSubstr("negative"));
  EXPECT_THAT(
      InferOp("ConstantOfShape", with("value", Literal(DType::int32, {2}))).ints({1}).error(),
      HasSubstr("[2]"));
}

template <typename T>
std::string range(DType dtype, T start, T limit, T delta) {
  InferOp op("Range");
  for (T value : {start, limit, delta}) {
    op.known(Literal::of<T>(dtype, {}, std::span<const T>(&value, 1)));
  }
  return op.output();
}

TEST(RangeTest, CountsTheStepsToItsLimit) {
  EXPECT_EQ(range<std::int64_t>(DType::int64, 1, 10, 3), "int64 [3]");
  EXPECT_EQ(range<std::int64_t>(DType::int64, 1, 11, 3), "int64 [4]");
  EXPECT_EQ(range<std::int64_t>(DType::int64, 10, 4, -2), "int64 [3]");
  EXPECT_EQ(range<std::int64_t>(DType::int64, 4, 10, -2), "int64 [0]");
  EXPECT_EQ(range<std::int64_t>(DType::int64, INT64_MIN, INT64_MAX, INT64_MAX), "int64 [3]");
  EXPECT_EQ(range<std::int32_t>(DType::int32, 5, 5, 1), "int32 [0]");
  EXPECT_EQ(range<float>(DType::float32, 0, 1, 0.25f), "float32 [4]");
  EXPECT_EQ(range<double>(DType::float64, 1, 0, -0.3), "float64 [4]");
}

TEST(RangeTest, RefusesToGoOnForever) {
  EXPECT_THAT(InferOp("Range").number(0).number(5).number(0).error(), HasSubstr("delta is 0"));
  EXPECT_EQ(InferOp("Range").number(0).input(DType::int64, {}).number(1).output(), "int64 [?]");
  const Literal infinite = scalar_literal(DType::float32, INFINITY);
  const Literal one = scalar_literal(DType::float32, 1);
  EXPECT_THAT(InferOp("Range").known(one).known(infinite).known(one).error(), HasSubstr("finite"));
}

TEST(EyeLikeTest, HasTheTypeAskedForOrTheInputs) {
  EXPECT_EQ(InferOp("EyeLike").input(DType::int32, {2, 3}).output(), "int32 [2, 3]");
  EXPECT_EQ(InferOp("EyeLike", with("dtype", std::int64_t{11})).input({2, 3}).output(),
            "float64 [2, 3]");
  EXPECT_EQ(InferOp("EyeLike").input_of_unknown_rank().output(), "float32 [?, ?]");
  EXPECT_THAT(InferOp("EyeLike").input({2}).error(), HasSubstr("[2]"));
  EXPECT_THAT(InferOp("EyeLike", with("dtype", std::int64_t{8})).input({2, 3}).error(),
              HasSubstr("string"));
}

InferOp one_hot(Dims indices, Literal depth, std::int64_t axis = -1) {
  InferOp op("OneHot", with("axis", axis));
  op.input(DType::int64, std::move(indices)).known(std::move(depth)).input({2});
  return op;
}

TEST(OneHotTest, PutsDepthWhereTheAxisIs) {
  EXPECT_EQ(one_hot({2, 3}, Literal::int64(5)).output(), "float32 [2, 3, 5]");
  EXPECT_EQ(one_hot({2, 3}, Literal::int64(5), 0).output(), "float32 [5, 2, 3]");
  EXPECT_EQ(one_hot({2, 3}, Literal::int64(5), -2).output(), "float32 [2, 5, 3]");
  EXPECT_EQ(one_hot({}, scalar_literal(DType::float32, 4)).output(), "float32 [4]");
  EXPECT_EQ(InferOp("OneHot").input({3}).input(DType::int64, {}).input({2}).output(),
            "float32 [3, ?]");
  EXPECT_THAT(one_hot({2}, Literal::int64(-1)).error(), HasSubstr("depth is -1"));
  EXPECT_THAT(InferOp("OneHot").input({3}).number(2).input({3}).error(), HasSubstr("[off, on]"));
}

}  // namespace
}  // namespace switchyard
