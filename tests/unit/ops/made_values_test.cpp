// Casts, random numbers, windows, spectra and losses: types and shapes that attributes or values
// tell.
#include "infer_op.hpp"
#include "recorded_draft.hpp"

namespace switchyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Attributes dtype(DType type) { return with("dtype", static_cast<std::int64_t>(type)); }

TEST(CastTest, GoesToTheNamedType) {
  EXPECT_EQ(InferOp("Cast", with("to", std::int64_t{7})).input({2}).output(), "int64 [2]");
  EXPECT_THAT(InferOp("Cast", with("to", std::int64_t{27})).input({2}).error(),
              HasSubstr("not an element type"));
  EXPECT_EQ(InferOp("Cast", with("to", std::int64_t{8})).input({2}).output(), "string [2]");
  EXPECT_EQ(InferOp("Cast", with("to", std::int64_t{26})).input({2}).output(), "int2 [2]");
  EXPECT_EQ(InferOp("CastLike").input({2}).input(DType::bool_, {5, 5}).output(), "bool [2]");
}

TEST(OldCastTest, TypesHadTextNames) {
  RecordedDraft draft("Cast", with("to", std::string("DOUBLE")), 1);
  draft.upgrade_from(5);
  EXPECT_EQ(draft.node.attributes.get_int("to", 0), 11);
  RecordedDraft wrong("Cast", with("to", std::string("double")), 1);
  EXPECT_THROW(wrong.upgrade_from(5), Error);
}

TEST(RandomTest, ShapesComeFromAttributesOrInputs) {
  const auto shaped = with("shape", std::vector<std::int64_t>{2, 3}, "dtype", std::int64_t{11});
  EXPECT_EQ(InferOp("RandomNormal", shaped).output(), "float64 [2, 3]");
  EXPECT_EQ(InferOp("RandomUniformLike").input(DType::float16, {4}).output(), "float16 [4]");
  EXPECT_EQ(InferOp("RandomUniformLike", dtype(DType::float32)).input(DType::int64, {4}).output(),
            "float32 [4]");
  EXPECT_THAT(InferOp("RandomUniformLike").input(DType::int64, {4}).error(),
              HasSubstr("would be int64"));
  EXPECT_EQ(InferOp("Bernoulli", dtype(DType::bool_)).input({4}).output(), "bool [4]");
  EXPECT_EQ(InferOp("Multinomial", with("sample_size", std::int64_t{5})).input({2, 3}).output(),
            "int32 [2, 5]");
  EXPECT_THAT(InferOp("Multinomial").input({2, 3, 4}).error(), HasSubstr("[batch, classes]"));
  EXPECT_TRUE(find_op("", "Bernoulli")->row->random);
}

TEST(WindowTest, IsAsLongAsTheInputSays) {
  EXPECT_EQ(InferOp("HannWindow").number(16).output(), "float32 [16]");
  EXPECT_EQ(InferOp("HammingWindow").input(DType::int32, {}).output(), "float32 [?]");
  EXPECT_THAT(InferOp("BlackmanWindow").number(-1).error(), HasSubstr("must be at least 0"));
  EXPECT_EQ(InferOp("MelWeightMatrix", with("output_datatype", std::int64_t{11}))
                .number(8)
                .number(16)
                .input(DType::int64, {})
                .input({})
                .input({})
                .output(),
            "float64 [9, 8]");
}

TEST(DftTest, RealComplexAndOneSided) {
  const std::int64_t yes = 1;
  EXPECT_EQ(InferOp("DFT").input({2, 10, 1}).output(), "float32 [2, 10, 2]");
  EXPECT_EQ(InferOp("DFT", with("onesided", yes)).input({2, 10, 1}).output(), "float32 [2, 6, 2]");
  EXPECT_EQ(InferOp("DFT", with("onesided", yes, "inverse", yes)).input({2, 6, 2}).output(),
            "float32 [2, 10, 1]");
  EXPECT_EQ(InferOp("DFT").input({4, 10, 2}).number(16).number(0).output(), "float32 [16, 10, 2]");
  EXPECT_EQ(InferOp("DFT").input({4, 10, 2}).number(16).input(DType::int64, {}).output(),
            "float32 [?, ?, 2]");
  EXPECT_THAT(InferOp("DFT", with("onesided", yes)).input({2, 10, 2}).error(),
              HasSubstr("takes real numbers"));
  EXPECT_THAT(InferOp("DFT", with("onesided", yes)).input({2, 0, 1}).error(),
              HasSubstr("a signal without an element has no half spectrum"));
  EXPECT_THAT(InferOp("DFT").input({2, 10, 2}).absent().number(-1).error(),
              HasSubstr("cannot be the axis"));
}

TEST(OldDftTest, TheAxisWasTheFirstByDefault) {
  RecordedDraft draft("DFT", {}, 1);
  draft.upgrade_from(17);
  EXPECT_EQ(draft.text(), "DFT(in0, , constant0)");
  EXPECT_THAT(draft.constants[0].to_int64s(), ElementsAre(1));
}

TEST(StftTest, FramesStepThroughTheSignal) {
  EXPECT_EQ(InferOp("STFT").input({1, 128, 1}).number(8).input({16}).output(),
            "float32 [1, 15, 9, 2]");
  EXPECT_EQ(InferOp("STFT", with("onesided", std::int64_t{0}))
                .input({1, 128, 2})
                .number(8)
                .absent()
                .number(16)
                .output(),
            "float32 [1, 15, 16, 2]");
  EXPECT_EQ(InferOp("STFT").input({1, kUnknown, 1}).number(8).input({16}).output(),
            "float32 [1, ?, 9, 2]");
  EXPECT_THAT(InferOp("STFT").input({1, 128, 1}).number(8).error(), HasSubstr("needs a window"));
  EXPECT_THAT(InferOp("STFT").input({1, 8, 1}).number(8).input({16}).error(),
              HasSubstr("does not fit"));
}

TEST(StftTest, NeedsFramesOfAtLeastOneElement) {
  EXPECT_EQ(InferOp("STFT").input({2, 10}).number(2).input({4}).output(), "float32 [2, 4, 3, 2]");
  EXPECT_THAT(InferOp("STFT").input({2, 10}).number(2).input({0}).error(),
              HasSubstr("a window without an element is that of no frame"));
  EXPECT_THAT(InferOp("STFT").input({2, 10}).number(2).absent().number(0).error(),
              HasSubstr("frame_length is 0; it must be at least 1"));
}

TEST(LossTest, AScalarOrOneNumberALabel) {
  const auto none = with("reduction", std::string("none"));
  InferOp loss("SoftmaxCrossEntropyLoss", none);
  loss.input({2, 5, 7}).input(DType::int64, {2, kUnknown});
  EXPECT_EQ(loss.output(0), "float32 [2, 7]");
  EXPECT_EQ(loss.output(1), "float32 [2, 5, 7]");
  EXPECT_EQ(InferOp("NegativeLogLikelihoodLoss").input({2, 5}).input(DType::int32, {2}).output(),
            "float32 []");
  EXPECT_THAT(InferOp("NegativeLogLikelihoodLoss").input({2, 5}).input(DType::int32, {3}).error(),
              HasSubstr("[2] against [3]"));
  EXPECT_THAT(InferOp("NegativeLogLikelihoodLoss")
                  .input({2, 5})
                  .input(DType::int32, {2})
                  .input({4})
                  .error(),
              HasSubstr("has shape [4]; it must be [5]: one number for each of the 5 classes"));
}

}  // namespace
}  // namespace switchyard
