// Attention and what stands beside it: shapes, and what is refused.
#include "ops/catalogue.hpp"
#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;

InferOp of_heads(Attributes attributes = {}) {
  InferOp op("Attention", std::move(attributes));
  op.input({2, 4, 3, 8}).input({2, 2, 5, 8}).input({2, 2, 5, 6});
  return op;
}

TEST(AttentionTest, GivesWhatTheQueryAsksInTheValuesWidth) {
  EXPECT_EQ(of_heads().output(), "float32 [2, 4, 3, 6]");
  const Attributes heads = with("q_num_heads", std::int64_t{4}, "kv_num_heads", std::int64_t{2});
  EXPECT_EQ(
      InferOp("Attention", heads).input({2, 3, 32}).input({2, 5, 16}).input({2, 5, 12}).output(),
      "float32 [2, 3, 24]");
  EXPECT_EQ(InferOp("Attention", heads)
                .input({2, kUnknown, 32})
                .input({2, kUnknown, 16})
                .input({2, kUnknown, 12})
                .output(),
            "float32 [2, ?, 24]");
}

TEST(AttentionTest, RefusesWhatDoesNotBelongTogether) {
  EXPECT_THAT(of_heads().input({3, 6}).error(), HasSubstr("the mask has shape [3, 6]"));
  EXPECT_THAT(of_heads().absent().input({2, 2, 1, 8}).error(), HasSubstr("go together"));
  EXPECT_THAT(of_heads().absent().absent().absent().input(DType::int64, {3}).error(),
              HasSubstr("nonpad_kv_seqlen has shape [3]"));
  EXPECT_THAT(
      InferOp("Attention").input({2, 3, 3, 8}).input({2, 2, 5, 8}).input({2, 2, 5, 6}).error(),
      HasSubstr("do not divide"));
  EXPECT_THAT(InferOp("Attention").input({2, 3, 32}).input({2, 5, 16}).input({2, 5, 12}).error(),
              HasSubstr("q_num_heads"));
}

TEST(RotaryEmbeddingTest, HoldsTheCacheToItsPositions) {
  EXPECT_EQ(InferOp("RotaryEmbedding")
                .input({2, 4, 3, 8})
                .input({50, 4})
                .input({50, 4})
                .input(DType::int64, {2, 3})
                .output(),
            "float32 [2, 4, 3, 8]");
  EXPECT_THAT(
      InferOp("RotaryEmbedding").input({2, 4, 3, 8}).input({2, 3, 3}).input({2, 3, 4}).error(),
      HasSubstr("cos_cache has shape [2, 3, 3]; it must be [2, 3, 4]"));
  EXPECT_THAT(InferOp("RotaryEmbedding")
                  .input({2, 4, 3, 8})
                  .input({50, 4})
                  .input({5, 4})
                  .input(DType::int64, {2, 3})
                  .error(),
              HasSubstr("sin_cache has shape [5, 4]; it must be [50, 4]"));
}

TEST(TensorScatterTest, TheUpdateFitsTheCache) {
  EXPECT_EQ(InferOp("TensorScatter").input({2, 8, 4}).input({2, 3, 4}).output(),
            "float32 [2, 8, 4]");
  EXPECT_THAT(InferOp("TensorScatter").input({2, 8, 4}).input({2, 9, 4}).error(),
              HasSubstr("an update of 9 positions does not fit a cache of 8"));
  EXPECT_THAT(InferOp("TensorScatter").input({2, 8, 4}).input({2, 3, 5}).error(),
              HasSubstr("the update has shape"));
}

TEST(LinearAttentionTest, NeedsWhatItsRuleReads) {
  const Attributes heads = with("q_num_heads", std::int64_t{4}, "kv_num_heads", std::int64_t{2},
                                "update_rule", std::string("linear"));
  EXPECT_EQ(InferOp("LinearAttention", heads)
                .input({2, 3, 32})
                .input({2, 3, 16})
                .input({2, 3, 12})
                .output(),
            "float32 [2, 3, 24]");
  const Attributes gated = with("q_num_heads", std::int64_t{4}, "kv_num_heads", std::int64_t{2});
  EXPECT_THAT(InferOp("LinearAttention", gated)
                  .input({2, 3, 32})
                  .input({2, 3, 16})
                  .input({2, 3, 12})
                  .error(),
              HasSubstr("needs the input decay"));
}

TEST(BitCastTest, KeepsTheWidth) {
  EXPECT_EQ(InferOp("BitCast", with("to", std::int64_t{6})).input({2}).output(), "int32 [2]");
  EXPECT_THAT(InferOp("BitCast", with("to", std::int64_t{7})).input({2}).error(),
              HasSubstr("elements of 32 bits cannot be read as int64"));
}

/// An op is judged by its own version, whatever newer opset a model declares.
TEST(NewestOpsets, MeanTheNewestVersionOfEachOp) {
  EXPECT_EQ(revision_for(*find_op("", "Add"), 27).since, 14);
  EXPECT_EQ(revision_for(*find_op("", "Cast"), 27).since, 25);
  EXPECT_EQ(revision_for(*find_op("", "Cast"), 23).since, 23);
  EXPECT_EQ(revision_for(*find_op("", "Attention"), 23).inputs.size(), 6U);
  EXPECT_THROW(revision_for(*find_op("", "Attention"), 22), Error);
}

}  // namespace
}  // namespace switchyard
