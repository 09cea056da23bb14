// Batches: what is in them, in which order, and how a loader goes on where another stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <switchyard/data.hpp>

#include "data/numbered_set.hpp"
#include "io/error_line.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TensorDatasetTest, CutsRows) {
  const TensorDataset set(host_tensor<float>({2, 2}, {1, 2, 3, 4}),
                          host_tensor<std::uint8_t>({2}, {7, 8}));
  EXPECT_EQ(set.size(), 2);
  const Example example = set.get(1);
  EXPECT_EQ(example.input.shape(), Dims{2});
  EXPECT_THAT(example.input.to_vector<float>(), ElementsAre(3, 4));
  EXPECT_EQ(example.target.shape(), Dims{});
  EXPECT_EQ(example.target.item<std::uint8_t>(), 8);
  EXPECT_FALSE(TensorDataset(host_tensor<float>({1}, {1})).get(0).target.defined());
}

TEST(TensorDatasetTest, RefusesWhatHasNoRowsInCommon) {
  const Tensor two = host_tensor<float>({2}, {1, 2});
  const auto refusal = [](const Tensor& inputs, const Tensor& targets) {
    return error_line([&] { TensorDataset(inputs, targets); });
  };
  EXPECT_THAT(refusal(two, host_tensor<float>({3}, {1, 2, 3})),
              HasSubstr("the inputs [2] and the targets [3] have different numbers of rows"));
  EXPECT_THAT(refusal(host_scalar(1.0F), two), HasSubstr("the inputs have rank 0"));
  EXPECT_THAT(refusal(Tensor(), two), HasSubstr("the inputs hold nothing"));
  EXPECT_THAT(refusal(two, host_texts({2}, {"a", "b"})), HasSubstr("the targets are string"));
  EXPECT_THAT(error_line([&] { TensorDataset(two).get(2); }), HasSubstr("no example 2 among 2"));
}

TEST(DataLoaderTest, StacksExamples) {
  DataLoader loader(NumberedSet(5), {.batch_size = 2});
  EXPECT_EQ(loader.size(), 3);
  std::vector<Dims> shapes;
  for (const auto& [input, target] : loader) {
    shapes.push_back(target.shape());
    EXPECT_EQ(input.device().name(), "host");
  }
  EXPECT_THAT(shapes, ElementsAre(Dims{2, 1}, Dims{2, 1}, Dims{1, 1}));
  EXPECT_THAT(pass_of(loader), ElementsAre(Numbers{0, 1}, Numbers{2, 3}, Numbers{4}));
  DataLoader dropping(NumberedSet(5), {.batch_size = 2, .drop_last = true});
  EXPECT_THAT(pass_of(dropping), ElementsAre(Numbers{0, 1}, Numbers{2, 3}));
}

TEST(DataLoaderTest, LeavesTheTargetEmptyWhereThereIsNone) {
  DataLoader loader(TensorDataset(host_tensor<float>({2}, {1, 2})));
  for (const Batch& batch : loader) EXPECT_FALSE(batch.target.defined());
}

TEST(DataLoaderTest, HasNothingToGiveOfAnEmptySet) {
  DataLoader loader(NumberedSet(0), {.batch_size = 2, .workers = 2});
  EXPECT_TRUE(pass_of(loader).empty());
  EXPECT_EQ(loader.state().epoch, 1u);
}

TEST(DataLoaderTest, ShufflesAnewEachEpoch) {
  DataLoader loader(NumberedSet(100), {.batch_size = 100, .seed = 5, .shuffle = true});
  const auto first = pass_of(loader);
  const auto second = pass_of(loader);
  EXPECT_EQ(first.front(), RandomSampler(100, 5).order(0));
  EXPECT_EQ(second.front(), RandomSampler(100, 5).order(1));
}

TEST(DataLoaderTest, TakesASampler) {
  struct Backwards : SequentialSampler {
    using SequentialSampler::SequentialSampler;
    Numbers order(std::uint64_t epoch) const override {
      Numbers order = SequentialSampler::order(epoch);
      return {order.rbegin(), order.rend()};
    }
  };
  DataLoader loader(NumberedSet(9), {.batch_size = 2, .sampler = std::make_shared<Backwards>(3)});
  EXPECT_THAT(pass_of(loader), ElementsAre(Numbers{2, 1}, Numbers{0}));
}

class Uneven : public Dataset {
 public:
  std::int64_t size() const override { return 3; }
  Example get(std::int64_t index) const override {
    if (index == 2) return {host_tensor<float>({1}, {1}), host_tensor<float>({1}, {1})};
    return {
        host_tensor<float>({index + 1}, std::vector<float>(static_cast<std::size_t>(index) + 1)),
        Tensor()};
  }
};

TEST(DataLoaderTest, RefusesExamplesThatDoNotStack) {
  DataLoader loader(Uneven(), {.batch_size = 2});
  EXPECT_THAT(error_line([&] { loader.begin(); }),
              HasSubstr("the input of example 1 is float32[2], that of example 0 in the same batch "
                        "is float32[1]; make them alike"));
  struct Picked : SequentialSampler {
    Picked() : SequentialSampler(2) {}
    Numbers order(std::uint64_t) const override { return {0, 2}; }
  };
  DataLoader picked(Uneven(), {.batch_size = 2, .sampler = std::make_shared<Picked>()});
  EXPECT_THAT(error_line([&] { picked.begin(); }),
              HasSubstr("the target of example 2 is float32[1], that of example 0 in the same "
                        "batch is none"));
}

TEST(DataLoaderTest, RefusesOptionsThatMakeNoSense) {
  const auto refusal = [](const DataLoaderOptions& options) {
    return error_line([&] { DataLoader(NumberedSet(3), options); });
  };
  EXPECT_THAT(refusal({.batch_size = 0}), HasSubstr("a batch size of 0"));
  EXPECT_THAT(refusal({.workers = -1}), HasSubstr("-1 workers"));
  EXPECT_THAT(refusal({.prefetch = 0}), HasSubstr("a prefetch of 0"));
  EXPECT_THAT(refusal({.sampler = std::make_shared<SequentialSampler>(3), .shuffle = true}),
              HasSubstr("both a sampler and shuffle"));
  EXPECT_THAT(error_line([] { DataLoader(std::shared_ptr<const Dataset>()); }),
              HasSubstr("there is no data set"));
}

TEST(DataLoaderTest, TellsWhereItStands) {
  DataLoader loader(NumberedSet(6), {.batch_size = 2, .seed = 3});
  const auto at = [](std::uint64_t epoch, std::int64_t position) {
    return LoaderState{epoch, position, 3, 2, 6};
  };
  EXPECT_EQ(loader.state(), at(0, 0));
  std::int64_t position = 0;
  for ([[maybe_unused]] const Batch& batch : loader) EXPECT_EQ(loader.state(), at(0, ++position));
  EXPECT_EQ(loader.state(), at(1, 0));
  for ([[maybe_unused]] const Batch& batch : loader) break;
  EXPECT_EQ(loader.state(), at(1, 1));
  loader.begin();  // a pass that was left is not gone on with
  EXPECT_EQ(loader.state(), at(2, 1));
}

TEST(DataLoaderTest, ResumesExactlyAnywhere) {
  for (const int workers : {0, 3}) {
    const DataLoaderOptions options{
        .batch_size = 3, .drop_last = false, .seed = 11, .shuffle = true, .workers = workers};
    DataLoader whole(NumberedSet(20), options);
    std::vector<Numbers> expected;
    std::vector<LoaderState> states{whole.state()};
    for (int epoch = 0; epoch < 2; ++epoch) {
      for (const Batch& batch : whole) {
        expected.push_back(batch.input.to_vector<std::int64_t>());
        states.push_back(whole.state());
      }
    }
    for (std::size_t done = 0; done < states.size(); ++done) {
      DataLoader resumed(NumberedSet(20), options);
      resumed.resume(loader_state_from(to_string(states[done])));
      EXPECT_EQ(resumed.state(), states[done]);
      std::vector<Numbers> rest(expected.begin(),
                                expected.begin() + static_cast<std::ptrdiff_t>(done));
      while (rest.size() < expected.size()) {
        for (const Numbers& batch : pass_of(resumed)) rest.push_back(batch);
      }
      EXPECT_EQ(rest, expected) << done << " batches done, " << workers << " workers";
    }
  }
}

TEST(DataLoaderTest, RefusesTheStateOfAnotherLoader) {
  DataLoader loader(NumberedSet(6), {.batch_size = 2, .seed = 3});
  const auto refusal = [&](const LoaderState& state) {
    return error_line([&] { loader.resume(state); });
  };
  EXPECT_THAT(refusal({0, 0, 3, 2, 7}), HasSubstr("of examples 7, this loader of 6"));
  EXPECT_THAT(refusal({0, 0, 3, 4, 6}), HasSubstr("of batch size 4, this loader of 2"));
  EXPECT_THAT(refusal({0, 0, 4, 2, 6}), HasSubstr("of seed 4, this loader of 3"));
  EXPECT_THAT(refusal({0, 4, 3, 2, 6}), HasSubstr("is at batch 4 of 3"));
  EXPECT_THAT(refusal({0, -1, 3, 2, 6}), HasSubstr("is at batch -1 of 3"));
  EXPECT_EQ(refusal({0, 3, 3, 2, 6}), "");
}

TEST(LoaderStateTest, RefusesOtherTexts) {
  EXPECT_EQ(to_string(LoaderState{2, 5, 7, 64, 100}),
            "epoch=2 position=5 seed=7 batch_size=64 examples=100");
  for (const char* text :
       {"", "epoch=2", "epoch=x position=5 seed=7 batch_size=64 examples=100",
        "epoch=-1 position=5 seed=7 batch_size=64 examples=100",
        "epoch=2 position=5 seed=18446744073709551616 batch_size=64 examples=100",
        "epoch=2 position=5 seed=7 batch_size=64 examples=100 more"}) {
    EXPECT_THAT(error_line([&] { loader_state_from(text); }),
                HasSubstr("is not a state of a loader"));
  }
}

}  // namespace
}  // namespace switchyard
