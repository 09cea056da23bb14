// Data sets: of tensors, of parts of others, of several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <switchyard/data.hpp>
#include <type_traits>
#include <utility>

#include "data/numbered_set.hpp"
#include "io/error_line.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Numbers inputs_of(const Dataset& set) {
  Numbers inputs;
  for (std::int64_t i = 0; i < set.size(); ++i) {
    inputs.push_back(set.get(i).input().item<std::int64_t>());
  }
  return inputs;
}

TEST(ExampleTest, GivesItsTensorsByNumber) {
  const Example example{host_scalar(1.0F), host_scalar(2.0F), Tensor()};
  EXPECT_EQ(example.size(), 3u);
  EXPECT_EQ(example[0].impl(), example.input().impl());
  EXPECT_EQ(example[1].impl(), example.target().impl());
  const auto [first, second, third] = example.unpack<3>();
  EXPECT_EQ(second.item<float>(), 2);
  EXPECT_FALSE(third.defined());
  std::size_t defined = 0;
  for (const Tensor& tensor : example) defined += tensor.defined() ? 1 : 0;
  EXPECT_EQ(defined, 2u);
  EXPECT_THAT(error_line([&] { static_cast<void>(example[3]); }),
              HasSubstr("tensor 3 of an example of 3"));
  EXPECT_THAT(error_line([&] { static_cast<void>(example.unpack<2>()); }),
              HasSubstr("2 tensors of an example of 3"));
  EXPECT_THAT(error_line([] { static_cast<void>(Example().input()); }),
              HasSubstr("tensor 0 of an example of 0"));
  EXPECT_FALSE(Example().target().defined());
}

TEST(TensorDatasetTest, CutsRows) {
  const TensorDataset set(host_tensor<float>({2, 2}, {1, 2, 3, 4}),
                          host_tensor<std::uint8_t>({2}, {7, 8}));
  EXPECT_EQ(set.size(), 2);
  const Example example = set.get(1);
  EXPECT_EQ(example.input().shape(), Dims{2});
  EXPECT_THAT(example.input().to_vector<float>(), ElementsAre(3, 4));
  EXPECT_EQ(example.target().shape(), Dims{});
  EXPECT_EQ(example.target().item<std::uint8_t>(), 8);
  const TensorDataset alone(host_tensor<float>({1}, {1}));
  EXPECT_EQ(alone.get(0).size(), 1u);
  EXPECT_FALSE(alone.get(0).target().defined());
  const std::vector<Tensor> four(4, host_tensor<float>({1}, {1}));
  EXPECT_EQ(TensorDataset(four).get(0).size(), 4u);
}

TEST(TensorDatasetTest, TakesAListInBraces) {
  const Tensor two = host_tensor<float>({2}, {1, 2}), others = host_tensor<float>({2}, {3, 4});
  const TensorDataset set({two, others});
  EXPECT_EQ(set.size(), 2);
  EXPECT_EQ(set.get(1).size(), 2u);
  EXPECT_EQ(set.get(1).target().item<float>(), 4);
  EXPECT_EQ(TensorDataset({two}).get(0).size(), 1u);
}

template <typename E>
concept Iterable = requires(E&& example) {
  std::forward<E>(example).begin();
  std::forward<E>(example).end();
};

/// What an example that is gone at once gives is kept by who takes it.
TEST(ExampleTest, TensorsOutliveIt) {
  const TensorDataset set(host_tensor<float>({2}, {1, 2}));
  const Tensor& first = set.get(0)[0];
  const Tensor& second = set.get(1).input();
  EXPECT_EQ(first.item<float>(), 1);
  EXPECT_EQ(second.item<float>(), 2);
  static_assert(std::is_same_v<decltype(Example()[0]), Tensor>);
  static_assert(std::is_same_v<decltype(Example().input()), Tensor>);
  static_assert(Iterable<Example&> && Iterable<const Example&>);
  static_assert(!Iterable<Example> && !Iterable<const Example>);
  float sum = 0;
  for (const Tensor& tensor : set.get(1)) sum += tensor.item<float>();
  EXPECT_EQ(sum, 2);
}

TEST(TensorDatasetTest, RefusesWhatHasNoRowsInCommon) {
  const Tensor two = host_tensor<float>({2}, {1, 2});
  const auto refusal = [](const auto&... tensors) {
    return error_line([&] { TensorDataset{tensors...}; });
  };
  EXPECT_THAT(refusal(two, two, host_tensor<float>({3}, {1, 2, 3})),
              HasSubstr("tensor 0 of shape [2] and tensor 2 of shape [3] have different numbers of "
                        "rows"));
  EXPECT_THAT(refusal(host_scalar(1.0F), two), HasSubstr("tensor 0 has rank 0"));
  EXPECT_THAT(refusal(Tensor(), two), HasSubstr("tensor 0 holds nothing"));
  EXPECT_THAT(refusal(two, Tensor()), HasSubstr("tensor 1 holds nothing"));
  EXPECT_THAT(refusal(two, host_texts({2}, {"a", "b"})), HasSubstr("tensor 1 is string"));
  EXPECT_THAT(refusal(std::vector<Tensor>()), HasSubstr("there are no tensors"));
  EXPECT_THAT(error_line([&] { TensorDataset(two).get(2); }), HasSubstr("no example 2 among 2"));
}

TEST(SubsetTest, HasTheExamplesOfItsIndices) {
  const Subset subset(NumberedSet(10), {7, 0, 7});
  EXPECT_THAT(inputs_of(subset), ElementsAre(7, 0, 7));
  EXPECT_EQ(subset.get(0).target().item<std::int64_t>(), 70);
  EXPECT_THAT(inputs_of(Subset(subset, {1})), ElementsAre(0));
  EXPECT_EQ(Subset(NumberedSet(10), {}).size(), 0);
  EXPECT_THAT(error_line([&] { subset.get(3); }), HasSubstr("no example 3 among 3"));
  EXPECT_THAT(error_line([] { Subset(NumberedSet(10), {10}); }),
              HasSubstr("no example 10 among 10"));
  EXPECT_THAT(error_line([] { Subset(NumberedSet(10), {-1}); }),
              HasSubstr("no example -1 among 10"));
  EXPECT_THAT(error_line([] { Subset(std::shared_ptr<const Dataset>(), {}); }),
              HasSubstr("there is no data set"));
}

TEST(ConcatDatasetTest, CountsOn) {
  const auto shared = std::make_shared<NumberedSet>(2);
  const ConcatDataset both({NumberedSet(3), NumberedSet(0), shared, Subset(shared, {1})});
  EXPECT_EQ(both.size(), 6);
  EXPECT_THAT(inputs_of(both), ElementsAre(0, 1, 2, 0, 1, 1));
  EXPECT_THAT(error_line([&] { both.get(6); }), HasSubstr("no example 6 among 6"));
  EXPECT_THAT(error_line([&] { both.get(-1); }), HasSubstr("no example -1 among 6"));
  EXPECT_THAT(error_line([] { ConcatDataset(std::vector<SharedDataset>()); }),
              HasSubstr("there are no data sets"));
}

std::vector<std::int64_t> sizes_of(const std::vector<Subset>& parts) {
  std::vector<std::int64_t> sizes;
  for (const Subset& part : parts) sizes.push_back(part.size());
  return sizes;
}

TEST(RandomSplitTest, GivesEachExampleToOnePart) {
  const auto parts = random_split(NumberedSet(10), {6, 0, 4}, 3);
  EXPECT_THAT(sizes_of(parts), ElementsAre(6, 0, 4));
  Numbers all;
  for (const Subset& part : parts) {
    for (const std::int64_t input : inputs_of(part)) all.push_back(input);
  }
  EXPECT_EQ(all, RandomSampler(10, 3).order(0));
  EXPECT_NE(random_split(NumberedSet(10), {6, 4}, 4)[0].indices(), parts[0].indices());
}

// PyTorch's lengths of the same shares.
TEST(RandomSplitTest, TakesSharesOfTheSize) {
  const auto sizes = [](std::int64_t size, const std::vector<double>& shares) {
    return sizes_of(random_split(NumberedSet(size), shares));
  };
  EXPECT_THAT(sizes(10, {0.5, 0.5}), ElementsAre(5, 5));
  EXPECT_THAT(sizes(17, {0.3, 0.3, 0.4}), ElementsAre(6, 5, 6));
  EXPECT_THAT(sizes(3, {0.1, 0.2, 0.3, 0.4}), ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(sizes(0, {0.5, 0.5}), ElementsAre(0, 0));
  EXPECT_THAT(sizes_of(random_split(NumberedSet(10), {0.9, 0.1})), ElementsAre(9, 1));
}

TEST(RandomSplitTest, RefusesLengthsThatDoNotAddUp) {
  const auto refusal = [](auto lengths) {
    return error_line([&] { static_cast<void>(random_split(NumberedSet(10), lengths)); });
  };
  EXPECT_THAT(refusal(Numbers{5, 4}), HasSubstr("add up to 9, not to the 10 examples"));
  EXPECT_THAT(refusal(Numbers{5, 6}), HasSubstr("add up to more than 10"));
  EXPECT_THAT(refusal(Numbers{INT64_MAX, INT64_MAX}), HasSubstr("add up to more than 10"));
  EXPECT_THAT(refusal(Numbers{11, -1}), HasSubstr("add up to more"));
  EXPECT_THAT(refusal(Numbers{-1, 11}), HasSubstr("a length of -1"));
  EXPECT_THAT(refusal(std::vector<double>{0.5, 0.4}), HasSubstr("the shares add up to 0.9"));
  EXPECT_THAT(refusal(std::vector<double>{1.5, -0.5}), HasSubstr("a share of 1.5"));
  EXPECT_THAT(refusal(std::vector<double>{}), HasSubstr("the shares add up to 0"));
}

}  // namespace
}  // namespace switchyard
