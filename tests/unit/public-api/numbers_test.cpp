// Truth values are not numbers, and numbers are not tensors, where that would hide a mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/switchyard.hpp>
#include <utility>

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

template <typename T>
concept IsSize = requires(const Tensor& x, T value) {
  nn::Linear(value, 3);
  nn::Embedding(value, 3);
  nn::LSTM(3, value);
  nn::Conv2d(value, 3, 3);
  optim::StepLR(std::declval<optim::Optimizer&>(), value);
  BatchSampler(nullptr, value);
};
static_assert(IsSize<int> && IsSize<std::size_t> && IsSize<Int>);
static_assert(!IsSize<double> && !IsSize<bool> && !IsSize<char>);

template <typename T>
concept IsAnySize = requires(const Tensor& x, T value) {
  nn::Linear(value, 3);
}
|| requires(const Tensor& x, T value) { nn::Embedding(value, 3); }
|| requires(const Tensor& x, T value) { nn::LSTM(value, 3); }
|| requires(const Tensor& x, T value) { nn::Conv2d(value, 3, 3); }
|| requires(const Tensor& x, T value) { nn::GroupNorm(value, 3); }
|| requires(const Tensor& x, T value) { nn::MultiheadAttention(value, 3); };
static_assert(!IsAnySize<double> && !IsAnySize<bool>);

template <typename T>
concept IsAnyPosition = requires(const Tensor& x, T value) {
  x.narrow(0, value, 1);
}
|| requires(const Tensor& x, T value) { x.select(0, value); }
|| requires(const Tensor& x, T value) { x.topk(value); }
|| requires(const Tensor& x, T value) { split(x, value); }
|| requires(const Tensor& x, T value) { chunk(x, value); }
|| requires(const Tensor& x, T value) { repeat_interleave(x, value); }
|| requires(const Tensor& x, T value) { roll(x, value, 0); }
|| requires(const Tensor& x, T value) { one_hot(x, value); }
|| requires(const Tensor& x, T value) { x[value]; }
|| requires(T value) { Slice(0, value); }
|| requires(T value) { eye(value); }
|| requires(T value) { randperm(value); };
static_assert(!IsAnyPosition<double> && !IsAnyPosition<bool> && !IsAnyPosition<char>);

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
