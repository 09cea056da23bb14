// Batches: what is in them, in which order, and how a loader goes on where another stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <switchyard/data.hpp>

#include "data/numbered_set.hpp"
#include "io/error_line.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DataLoaderTest, StacksExamples) {
  DataLoader loader(NumberedSet(5), {.batch_size = 2});
  EXPECT_EQ(loader.size(), 3);
  std::vector<Dims> shapes;
  for (const Batch& batch : loader) {
    shapes.push_back(batch.target().shape());
    EXPECT_EQ(batch.input().device().name(), "host");
  }
  EXPECT_THAT(shapes, ElementsAre(Dims{2, 1}, Dims{2, 1}, Dims{1, 1}));
  EXPECT_THAT(pass_of(loader), ElementsAre(Numbers{0, 1}, Numbers{2, 3}, Numbers{4}));
  DataLoader dropping(NumberedSet(5), {.batch_size = 2, .drop_last = true});
  EXPECT_THAT(pass_of(dropping), ElementsAre(Numbers{0, 1}, Numbers{2, 3}));
}

TEST(DataLoaderTest, LeavesTheTargetEmptyWhereThereIsNone) {
  DataLoader loader(TensorDataset(host_tensor<float>({2}, {1, 2})));
  for (const Batch& batch : loader) EXPECT_FALSE(batch.target().defined());
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
              HasSubstr("tensor 0 of example 1 is float32[2], that of example 0 in the same batch "
                        "is float32[1]; make them alike"));
  struct Picked : SequentialSampler {
    Picked() : SequentialSampler(2) {}
    Numbers order(std::uint64_t) const override { return {0, 2}; }
  };
  DataLoader picked(Uneven(), {.batch_size = 2, .sampler = std::make_shared<Picked>()});
  EXPECT_THAT(error_line([&] { picked.begin(); }),
              HasSubstr("tensor 1 of example 2 is float32[1], that of example 0 in the same "
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
  EXPECT_THAT(refusal({.seed = 3}), HasSubstr("a seed without shuffle"));
  EXPECT_THAT(refusal({.sampler = std::make_shared<SequentialSampler>(3), .seed = 3}),
              HasSubstr("a seed without shuffle"));
  EXPECT_THAT(refusal({.prefetch = 4}), HasSubstr("a prefetch without workers"));
  EXPECT_EQ(refusal({.prefetch = 4, .seed = 3, .shuffle = true, .workers = 1}), "");
  EXPECT_THAT(error_line([] { DataLoader(std::shared_ptr<const Dataset>()); }),
              HasSubstr("there is no data set"));
}

TEST(DataLoaderTest, TellsWhereItStands) {
  DataLoader loader(NumberedSet(6), {.batch_size = 2, .seed = 3, .shuffle = true});
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
        expected.push_back(batch.input().to_vector<std::int64_t>());
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
  DataLoader loader(NumberedSet(6), {.batch_size = 2, .seed = 3, .shuffle = true});
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

/// The examples 0 to size - 1 in batches of 1, 2, 3, ..., in the reverse order in odd epochs.
class GrowingBatches : public SamplerOfBatches {
 public:
  explicit GrowingBatches(std::int64_t count) : count_(count) {}
  std::int64_t size() const override { return count_; }
  std::vector<Numbers> batches(std::uint64_t epoch) const override {
    std::vector<Numbers> batches;
    std::int64_t next = 0;
    for (std::int64_t size = 1; size <= count_; ++size) {
      Numbers batch;
      while (static_cast<std::int64_t>(batch.size()) < size) batch.push_back(next++);
      batches.push_back(std::move(batch));
    }
    if (epoch % 2 == 1) std::reverse(batches.begin(), batches.end());
    return batches;
  }

 private:
  std::int64_t count_;
};

TEST(DataLoaderTest, TakesBatchesOfAnySizes) {
  const DataLoaderOptions options{.batch_sampler = std::make_shared<GrowingBatches>(3)};
  DataLoader loader(NumberedSet(6), options);
  EXPECT_EQ(loader.size(), 3);
  EXPECT_THAT(pass_of(loader), ElementsAre(Numbers{0}, Numbers{1, 2}, Numbers{3, 4, 5}));
  for ([[maybe_unused]] const Batch& batch : loader) break;
  EXPECT_EQ(loader.state(), (LoaderState{1, 1, 0, 0, 6}));

  DataLoader resumed(NumberedSet(6), options);
  resumed.resume(loader_state_from(to_string(loader.state())));
  EXPECT_THAT(pass_of(resumed), ElementsAre(Numbers{1, 2}, Numbers{0}));
  DataLoader other(NumberedSet(6), {.batch_size = 2});
  EXPECT_THAT(error_line([&] { other.resume(loader.state()); }), HasSubstr("of batch size 0"));
}

TEST(DataLoaderTest, RefusesWhatABatchSamplerMustNotGive) {
  struct Given : SamplerOfBatches {
    explicit Given(std::vector<Numbers> all) : all(std::move(all)) {}
    std::int64_t size() const override { return 2; }
    std::vector<Numbers> batches(std::uint64_t) const override { return all; }
    std::vector<Numbers> all;
  };
  const auto refusal = [](const std::vector<Numbers>& batches) {
    DataLoader loader(NumberedSet(4), {.batch_sampler = std::make_shared<Given>(batches)});
    return error_line([&] { pass_of(loader); });
  };
  EXPECT_EQ(refusal({{0, 1}, {2}}), "");
  EXPECT_THAT(refusal({{0}}), HasSubstr("the sampler of 2 batches gives 1 of them in epoch 0"));
  EXPECT_THAT(refusal({{0}, {}}), HasSubstr("a batch of no examples"));
  EXPECT_THAT(refusal({{0}, {4}}), HasSubstr("asks for example 4 of a data set of 4"));
  EXPECT_THAT(refusal({{-1}, {1}}), HasSubstr("asks for example -1 of a data set of 4"));
  const auto batches = std::make_shared<Given>(std::vector<Numbers>{{0}, {1}});
  for (const DataLoaderOptions& options : std::vector<DataLoaderOptions>{
           {.batch_sampler = batches, .batch_size = 2},
           {.batch_sampler = batches, .drop_last = true},
           {.batch_sampler = batches, .sampler = std::make_shared<SequentialSampler>(4)},
           {.batch_sampler = batches, .seed = 1},
           {.batch_sampler = batches, .shuffle = true}}) {
    EXPECT_THAT(error_line([&] { DataLoader(NumberedSet(4), options); }),
                HasSubstr("a batch_sampler beside batch_size"));
  }
}

/// Example i: i + 1 ones, and two tensors more.
class Ragged : public Dataset {
 public:
  std::int64_t size() const override { return 4; }
  Example get(std::int64_t index) const override {
    const auto length = static_cast<std::size_t>(index + 1);
    return {host_tensor<float>({index + 1}, std::vector<float>(length, 1)),
            host_scalar(static_cast<std::int64_t>(length)), host_scalar(-index)};
  }
};

/// Rows with zeros behind them, and their lengths.
Batch padded(std::span<const Example> examples) {
  std::int64_t longest = 0;
  std::vector<std::int64_t> lengths;
  for (const Example& example : examples) {
    lengths.push_back(example[1].item<std::int64_t>());
    longest = std::max(longest, lengths.back());
  }
  std::vector<float> rows;
  for (const Example& example : examples) {
    for (const float value : example.input().to_vector<float>()) rows.push_back(value);
    while (rows.size() % static_cast<std::size_t>(longest) != 0) rows.push_back(0);
  }
  const auto count = static_cast<std::int64_t>(examples.size());
  return {host_tensor({count, longest}, rows), host_tensor({count}, lengths)};
}

TEST(DataLoaderTest, TakesACollateFunction) {
  for (const int workers : {0, 2}) {
    DataLoader loader(Ragged(), {.batch_size = 3, .collate_fn = padded, .workers = workers});
    std::vector<Dims> shapes;
    for (const Batch& batch : loader) {
      const auto [rows, lengths] = batch.unpack<2>();
      shapes.push_back(rows.shape());
      EXPECT_EQ(lengths.shape(), Dims{rows.size(0)});
    }
    EXPECT_THAT(shapes, ElementsAre(Dims{3, 3}, Dims{1, 4}));
    DataLoader failing(Ragged(), {.collate_fn = [](std::span<const Example>) -> Batch {
                                    throw std::runtime_error("no such luck");
                                  },
                                  .workers = workers});
    EXPECT_THROW(failing.begin(), std::runtime_error);
  }
}

TEST(DataLoaderTest, StacksAnyNumberOfTensors) {
  const TensorDataset set(host_tensor<float>({3, 2}, {1, 2, 3, 4, 5, 6}),
                          host_tensor<std::uint8_t>({3}, {7, 8, 9}),
                          host_tensor<std::int64_t>({3, 1}, {-1, -2, -3}));
  DataLoader loader(set, {.batch_size = 3});
  const auto batches = loader.begin();
  const auto [rows, bytes, counts] = batches->unpack<3>();
  EXPECT_EQ(rows.to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(bytes.to_vector<std::uint8_t>(), (std::vector<std::uint8_t>{7, 8, 9}));
  EXPECT_EQ(counts.shape(), (Dims{3, 1}));
  EXPECT_EQ((*batches)[2].to_vector<std::int64_t>(), (Numbers{-1, -2, -3}));
}

TEST(DefaultCollateTest, StacksExamplesByHand) {
  const std::vector<Example> examples{{host_scalar(1.0F), Tensor()}, {host_scalar(2.0F), Tensor()}};
  const Batch batch = default_collate(examples);
  EXPECT_EQ(batch.size(), 2u);
  EXPECT_EQ(batch.input().to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_FALSE(batch.target().defined());
  EXPECT_THAT(error_line([] { static_cast<void>(default_collate({})); }),
              HasSubstr("there are no examples"));
  const auto refusal = [](const Example& other) {
    const std::vector<Example> unlike{{host_scalar(1.0F)}, other};
    return error_line([&] { static_cast<void>(default_collate(unlike)); });
  };
  EXPECT_THAT(refusal({host_scalar(1.0F), host_scalar(1.0F)}),
              HasSubstr("example 1 has 2 tensors, example 0 in the same batch 1"));
  EXPECT_THAT(refusal({host_scalar(1.0)}), HasSubstr("tensor 0 of example 1 is float64[]"));
  EXPECT_THAT(refusal({Tensor()}), HasSubstr("tensor 0 of example 1 is none"));
  const std::vector<Example> texts{{host_texts({1}, {"a"})}};
  EXPECT_THAT(error_line([&] { static_cast<void>(default_collate(texts)); }),
              HasSubstr("is string, which does not stack"));
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
