// Truth values are not numbers, and numbers are not tensors, where that would hide a mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/switchyard.hpp>
#include <utility>
#include <vector>

namespace switchyard {
namespace {

using testing::ElementsAre;

// How many of the calls compile with a T.
// clang-format off
template <typename T>
constexpr int corrections =
    int{requires(const Tensor& x, T value) { x.var(0, value); }} +
    int{requires(const Tensor& x, T value) { x.std(0, value); }} +
    int{requires(const Tensor& x, T value) { var(x, 0, value); }};
// clang-format on
static_assert(corrections<int> == 3 && corrections<double> == 3 && corrections<bool> == 0);

// clang-format off
template <typename T>
constexpr int probabilities =
    int{requires(const Tensor& x, T value) { dropout(x, value); }} +
    int{requires(const Tensor& x, T value) { nn::Dropout(value); }};
// clang-format on
static_assert(probabilities<int> == 2 && probabilities<double> == 2 && probabilities<bool> == 0);

// clang-format off
template <typename T>
constexpr int norms =
    int{requires(const Tensor& x, T value) { norm(x, value); }} +
    int{requires(const Tensor& x, T value) { pairwise_distance(x, x, value); }};
// clang-format on
static_assert(norms<int> == 2 && norms<bool> == 0);

// clang-format off
template <typename T>
constexpr int sizes =
    int{requires(T value) { nn::Linear(value, 3); }} +
    int{requires(T value) { nn::Linear(3, value); }} +
    int{requires(T value) { nn::Embedding(value, 3); }} +
    int{requires(T value) { nn::LSTM(3, value); }} +
    int{requires(T value) { nn::Conv2d(value, 3, 3); }} +
    int{requires(T value) { nn::GroupNorm(value, 3); }} +
    int{requires(T value) { nn::MultiheadAttention(value, 3); }} +
    int{requires(T value) { optim::StepLR(std::declval<optim::Optimizer&>(), value); }} +
    int{requires(T value) { BatchSampler(nullptr, value); }} +
    int{requires(T value) { eye(value); }} +
    int{requires(T value) { randperm(value); }};
// clang-format on
static_assert(sizes<int> == 11 && sizes<std::size_t> == 11 && sizes<Int> == 11);
static_assert(sizes<double> == 0 && sizes<bool> == 0 && sizes<char> == 0);
static_assert(sizes<Real> == 0 && sizes<Flag> == 0 && sizes<DType> == 0);

// clang-format off
template <typename T>
constexpr int positions =
    int{requires(const Tensor& x, T value) { x.narrow(0, value, 1); }} +
    int{requires(const Tensor& x, T value) { x.select(0, value); }} +
    int{requires(const Tensor& x, T value) { x.topk(value); }} +
    int{requires(const Tensor& x, T value) { x.split(value); }} +
    int{requires(const Tensor& x, T value) { split(x, value); }} +
    int{requires(const Tensor& x, T value) { chunk(x, value); }} +
    int{requires(const Tensor& x, T value) { repeat_interleave(x, value); }} +
    int{requires(const Tensor& x, T value) { roll(x, value, 0); }} +
    int{requires(const Tensor& x, T value) { one_hot(x, value); }} +
    int{requires(const Tensor& x, T value) { x[value]; }} +
    int{requires(const Tensor& x, T value) { Slice(0, value); }};
// clang-format on
static_assert(positions<int> == 11 && positions<std::size_t> == 11);
static_assert(positions<double> == 0 && positions<bool> == 0 && positions<char> == 0);
static_assert(positions<Real> == 0 && positions<Flag> == 0 && positions<DType> == 0);

// clang-format off
template <typename T>
constexpr int rates =
    int{requires(optim::Optimizer& o, T value) { optim::StepLR(o, 5, value); }} +
    int{requires(optim::Optimizer& o, T value) { optim::ExponentialLR(o, value); }} +
    int{requires(optim::Optimizer& o, T value) { optim::CosineAnnealingLR(o, 5, value); }} +
    int{requires(optim::Optimizer& o, T value) { optim::OneCycleLR(o, value, 10); }} +
    int{requires(optim::Optimizer& o, T value) { optim::SWALR(o, value); }} +
    int{requires(optim::Optimizer& o, T value) { o.set_lr(value); }};
// clang-format on
static_assert(rates<int> == 6 && rates<double> == 6 && rates<bool> == 0);

// clang-format off
template <typename T>
constexpr int switches =
    int{requires(nn::Linear& module, T value) { module.train(value); }} +
    int{requires(nn::Linear& module, T value) { module.zero_grad(value); }} +
    int{requires(nn::Linear& module, T value) { module.requires_grad_(value); }} +
    int{requires(nn::Linear& module, T value) { module.load_state_dict({}, value); }} +
    int{requires(optim::Optimizer& o, T value) { o.zero_grad(value); }} +
    int{requires(Run& run, T value) { run.set_report(value); }} +
    int{requires(T value) { GradMode(value); }} +
    int{requires(T value) { Autocast(DType::float16, value); }} +
    int{requires(T value) { BatchSampler(nullptr, 4, value); }};
// clang-format on
static_assert(switches<bool> == 9 && switches<int> == 0 && switches<double> == 0);

template <typename A, typename B>
concept HasMax = requires(A a, B b) {
  switchyard::max(a, b);
};
static_assert(!HasMax<int, int> && !HasMax<std::int64_t, double>, "std::max was meant");
static_assert(!HasMax<Tensor, double> && !HasMax<Tensor, float>, "maximum was meant");
static_assert(!HasMax<Tensor, Real> && !HasMax<Tensor, Flag> && !HasMax<Tensor, float16>);
static_assert(HasMax<Tensor, int> && HasMax<Tensor, Tensor>);

TEST(Numbers, MaxOfTwoTensorsIsElementwise) {
  const Tensor a = tensor({1, 5}), b = tensor({3, 2});
  EXPECT_THAT(max(a, b).to_vector<std::int64_t>(), ElementsAre(3, 5));
  EXPECT_THAT(min(a, b).to_vector<std::int64_t>(), ElementsAre(1, 2));
  EXPECT_EQ(max(a, 0).values.item(), 5) << "a number is a dimension, as in PyTorch";
}

enum { kTwo = 2, kThree = 3 };

TEST(Numbers, MayBeConstantsOfEnumerations) {
  EXPECT_EQ(zeros({kTwo, kThree}).sum(kTwo - 1).shape(), Dims(2));
  EXPECT_EQ(nn::Linear(kTwo, kThree).weight.shape(), Dims(3, 2));
  EXPECT_EQ(nn::Conv2d(kTwo, kThree, kThree).weight.shape(), Dims(3, 2, 3, 3));
  EXPECT_EQ(zeros(6).split(kTwo).size(), 3u);
}

TEST(Numbers, ThatWrapRoundAreErrors) {
  const std::vector<int> none;
  const Tensor x = tensor({{1, 2}, {3, 4}});
  EXPECT_THROW(static_cast<void>(x.select(0, none.size() - 1)), Error);
  EXPECT_THROW(static_cast<void>(x[none.size() - 1]), Error);
  EXPECT_THROW(static_cast<void>(x.sum(none.size() - 1)), Error);
  EXPECT_THROW(static_cast<void>(x.reshape({2, none.size() - 1})), Error);
  EXPECT_THROW(static_cast<void>(Slice(0, none.size() - 1)), Error);
}

TEST(Numbers, InBracesAreLists) {
  const Tensor x = arange(5);
  EXPECT_THROW(static_cast<void>(split(x, {2})), Error) << "sizes that add up to 2";
  EXPECT_EQ(split(x, {5}).size(), 1u);
  EXPECT_EQ(split(x, {2, 3})[1].size(), 3);
  EXPECT_EQ(x.split({5}).size(), 1u);
  EXPECT_EQ(x.split({2, 3})[1].size(), 3);
  EXPECT_EQ(x.split(Dims{2, 3})[0].size(), 2);
  EXPECT_EQ(split(x, 2).size(), 3u);
  EXPECT_EQ(linalg::norm(tensor({{3., 4.}}), {}, {1}).item(), 5);
  EXPECT_EQ(eye(2, {.dtype = DType::int64}).dtype(), DType::int64);
  EXPECT_EQ(eye(2, {}).dtype(), DType::float32);
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
