// Truth values are not numbers, and numbers are not tensors, where that would hide a mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/switchyard.hpp>

namespace switchyard {
namespace {

using testing::ElementsAre;

template <typename T>
concept IsCorrection = requires(const Tensor& x, T value) {
  x.var(0, value);
  x.std(0, value);
  var(x, 0, value);
};
static_assert(IsCorrection<int> && IsCorrection<double> && !IsCorrection<bool>);

template <typename T>
concept IsProbability = requires(const Tensor& x, T value) {
  dropout(x, value);
  nn::Dropout(value);
};
static_assert(IsProbability<double> && IsProbability<int> && !IsProbability<bool>);

template <typename T>
concept IsNorm = requires(const Tensor& x, T value) {
  norm(x, value);
  pairwise_distance(x, x, value);
};
static_assert(IsNorm<int> && !IsNorm<bool>);

template <typename A, typename B>
concept HasMax = requires(A a, B b) {
  switchyard::max(a, b);
};
static_assert(!HasMax<int, int> && !HasMax<std::int64_t, double>, "std::max was meant");
static_assert(!HasMax<Tensor, double> && !HasMax<Tensor, float>, "maximum was meant");
static_assert(HasMax<Tensor, int> && HasMax<Tensor, Tensor>);

TEST(Numbers, MaxOfTwoTensorsIsElementwise) {
  const Tensor a = tensor({1, 5}), b = tensor({3, 2});
  EXPECT_THAT(max(a, b).to_vector<std::int64_t>(), ElementsAre(3, 5));
  EXPECT_THAT(min(a, b).to_vector<std::int64_t>(), ElementsAre(1, 2));
  EXPECT_EQ(max(a, 0).values.item(), 5) << "a number is a dimension, as in PyTorch";
}

TEST(Numbers, ReductionsTakeListsOfDimensions) {
  const Tensor x = tensor({{1, 2}, {3, 4}});
  EXPECT_EQ(prod(x, {0, 1}).item(), 24);
  EXPECT_THAT(prod(x, 0).to_vector<std::int64_t>(), ElementsAre(3, 8));
  EXPECT_TRUE(any(x > 3, {0, 1}).item<bool>());
  EXPECT_THAT(all(x > 1, 0).to_vector<bool>(), ElementsAre(false, true));
}

}  // namespace
}  // namespace switchyard
