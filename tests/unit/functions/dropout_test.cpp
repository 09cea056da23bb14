// Dropout: what it drops, and what not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

namespace switchyard {
namespace {

TEST(Dropout, KeepsAllWhereNothingIsDropped) {
  const Tensor x = tensor({1., -2., 3.});
  EXPECT_EQ(dropout(x, 0).impl(), x.impl());
  EXPECT_EQ(dropout(x, 0.5, false).impl(), x.impl());
}

TEST(Dropout, DropsAllAtOne) {
  EXPECT_THAT(dropout(tensor({1., -2., 3.}), 1).to_vector<float>(), testing::Each(0.0F));
}

TEST(Dropout, ScalesWhatStaysAndDropsTheShareAskedFor) {
  manual_seed(7);
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
    const Tensor y = dropout(ones({100, 100}, {.dtype = dtype}), 0.2);
    EXPECT_EQ(y.dtype(), dtype);
    const auto values = y.to(DType::float32).to_vector<float>();
    const auto dropped = std::count(values.begin(), values.end(), 0.0F);
    EXPECT_NEAR(static_cast<double>(dropped), 2000, 200);
    EXPECT_THAT(values, testing::Each(testing::AnyOf(0.0F, 1.25F)));
  }
}

TEST(Dropout, IsTheSameForASeedAndGoesOn) {
  const Tensor x = ones({64});
  manual_seed(3);
  const Tensor first = dropout(x), second = dropout(x);
  manual_seed(3);
  EXPECT_TRUE(equal(dropout(x), first));
  EXPECT_FALSE(equal(first, second));
}

TEST(Dropout, WantsAProbabilityAndNumbersWithFractions) {
  EXPECT_THROW(dropout(ones({3}), 1.5), Error);
  EXPECT_THROW(dropout(ones({3}), -0.1), Error);
  EXPECT_THROW(dropout(tensor({1, 2})), Error);
}

}  // namespace
}  // namespace switchyard
