// AssertRange hands integers on, and refuses those out of range by the name that it is given.
#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

InferOp assert_range() {
  return InferOp("AssertRange", with("name", std::string("lengths")), "switchyard");
}

TEST(AssertRange, HandsOnWhatLiesWithin) {
  EXPECT_EQ(assert_range().ints({0, 4, 2}).number(0).ints({4}).output(), "int64 [3]");
  EXPECT_EQ(assert_range().ints({}).number(1).number(0).output(), "int64 [0]");
}

TEST(AssertRange, RefusesWhatLiesOutside) {
  EXPECT_THAT(assert_range().ints({0, 4, -2}).number(0).number(4).error(),
              HasSubstr("lengths[2] is -2; it must be from 0 to 4"));
  EXPECT_THAT(assert_range().number(5).number(0).number(4).error(),
              HasSubstr("lengths is 5; it must be from 0 to 4"));
}

TEST(AssertRange, WaitsForValuesThatAreNotKnown) {
  EXPECT_EQ(assert_range().input(DType::int32, {2}).number(0).number(4).output(), "int32 [2]");
  EXPECT_EQ(assert_range().ints({9}).input(DType::int64, {1}).number(4).output(), "int64 [1]");
}

TEST(AssertRange, HasOneOfEachBound) {
  EXPECT_THAT(assert_range().ints({1}).ints({0, 0}).number(4).error(), HasSubstr("least"));
  EXPECT_THAT(assert_range().ints({1}).number(0).ints({4, 4}).error(), HasSubstr("most"));
}

}  // namespace
}  // namespace switchyard
