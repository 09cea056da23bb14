// Layers that carry a state, and the text ops, which are only checked.
#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

InferOp lstm(Attributes attributes, Dims x, Dims w, Dims r) {
  InferOp op("LSTM", std::move(attributes));
  op.input(std::move(x)).input(std::move(w)).input(std::move(r));
  return op;
}

TEST(RecurrentTest, GivesEveryStepAndTheLastStates) {
  InferOp op = lstm({}, {7, 2, 3}, {1, 20, 3}, {1, 20, 5});
  EXPECT_EQ(op.output(0), "float32 [7, 1, 2, 5]");
  EXPECT_EQ(op.output(1), "float32 [1, 2, 5]");
  EXPECT_EQ(op.output(2), "float32 [1, 2, 5]");
}

TEST(RecurrentTest, RunsBothWaysAndBatchFirst) {
  const Attributes both = with("direction", std::string("bidirectional"));
  EXPECT_EQ(lstm(both, {7, 2, 3}, {2, 20, 3}, {2, 20, 5}).output(), "float32 [7, 2, 2, 5]");
  const Attributes batch_first = with("layout", std::int64_t{1});
  EXPECT_EQ(lstm(batch_first, {2, 7, 3}, {1, 20, 3}, {1, 20, 5}).output(), "float32 [2, 7, 1, 5]");
  EXPECT_EQ(lstm(batch_first, {2, 7, 3}, {1, 20, 3}, {1, 20, 5}).output(1), "float32 [2, 1, 5]");
}

TEST(RecurrentTest, TellsWhatItCanOfUnknownExtents) {
  EXPECT_EQ(lstm({}, {kUnknown, kUnknown, 3}, {1, 20, 3}, {1, 20, 5}).output(),
            "float32 [?, 1, ?, 5]");
  EXPECT_EQ(InferOp("GRU", with("hidden_size", std::int64_t{4}))
                .input_of_unknown_rank()
                .input_of_unknown_rank()
                .input_of_unknown_rank()
                .output(1),
            "float32 [1, ?, 4]");
}

TEST(RecurrentTest, SaysWhatDoesNotFit) {
  EXPECT_THAT(lstm({}, {7, 2, 4}, {1, 20, 3}, {1, 20, 5}).error(), HasSubstr("4 and 3"));
  EXPECT_THAT(lstm({}, {7, 2}, {1, 20, 3}, {1, 20, 5}).error(),
              HasSubstr("[steps, batch, inputs]"));
  EXPECT_THAT(lstm({}, {7, 2, 3}, {2, 20, 3}, {2, 20, 5}).error(),
              HasSubstr("it must be [1, 20, 3]: directions"));
  EXPECT_THAT(lstm(with("hidden_size", std::int64_t{4}), {7, 2, 3}, {1, 20, 3}, {1, 20, 5}).error(),
              HasSubstr("hidden_size"));
  EXPECT_THAT(lstm(with("direction", std::string("up")), {7, 2, 3}, {1, 20, 3}, {1, 20, 5}).error(),
              HasSubstr("bidirectional"));
}

TEST(TextTest, IsCheckedThoughNoDeviceTakesIt) {
  const Attributes grams =
      with("max_gram_length", std::int64_t{2}, "max_skip_count", std::int64_t{0}, "min_gram_length",
           std::int64_t{1}, "mode", std::string("TF"), "ngram_counts", std::vector<std::int64_t>{0},
           "ngram_indexes", std::vector<std::int64_t>{0, 4, 2});
  EXPECT_EQ(InferOp("TfIdfVectorizer", grams).input(DType::int32, {12}).output(), "float32 [5]");
  EXPECT_EQ(InferOp("TfIdfVectorizer", grams).input(DType::string, {2, 6}).output(),
            "float32 [2, 5]");
  EXPECT_EQ(InferOp("StringNormalizer").input(DType::string, {1, 4}).output(), "string [1, 4]");
  EXPECT_EQ(InferOp("StringConcat").input(DType::string, {2, 1}).input(DType::string, {3}).output(),
            "string [2, 3]");
  EXPECT_EQ(InferOp("StringSplit").input(DType::string, {2}).output(), "string [2, ?]");
  EXPECT_EQ(InferOp("StringSplit").input(DType::string, {2}).output(1), "int64 [2]");
  EXPECT_EQ(InferOp("RegexFullMatch").input(DType::string, {2}).output(), "bool [2]");
  EXPECT_THAT(InferOp("StringNormalizer").input({4}).error(), HasSubstr("string"));
}

}  // namespace
}  // namespace switchyard
