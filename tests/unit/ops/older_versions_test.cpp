// What nodes of old opsets become: views, movement, pooling, images, recurrence, control.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/error.hpp>

#include "ops/infer_op.hpp"
#include "ops/recorded_draft.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Ints = std::vector<std::int64_t>;
using Floats = std::vector<float>;

std::string refusal(RecordedDraft& draft, int opset) {
  try {
    draft.upgrade_from(opset);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model);
    return error.what();
  }
  return "no error";
}

TEST(OlderViewsTest, TurnAttributesIntoInputs) {
  RecordedDraft reshape("Reshape", with("shape", Ints{2, -1}, "consumed_inputs", Ints{0}), 1);
  reshape.upgrade_from(1);
  EXPECT_EQ(reshape.text(), "Reshape(in0, constant0)");
  EXPECT_THAT(reshape.constants[0].to_int64s(), ElementsAre(2, -1));
  EXPECT_EQ(reshape.node.attributes.get_int("allowzero", -1), 0);

  RecordedDraft squeeze("Squeeze", with("axes", Ints{1}), 1);
  squeeze.upgrade_from(7);
  EXPECT_EQ(squeeze.text(), "Squeeze(in0, constant0)");
  RecordedDraft squeeze_all("Squeeze", {}, 1);
  squeeze_all.upgrade_from(11);
  EXPECT_EQ(squeeze_all.text(), "Squeeze(in0)");
  RecordedDraft unsqueeze("Unsqueeze", with("axes", Ints{0, 2}), 1);
  unsqueeze.upgrade_from(11);
  EXPECT_THAT(unsqueeze.constants[0].to_int64s(), ElementsAre(0, 2));

  RecordedDraft slice("Slice", with("starts", Ints{1}, "ends", Ints{-1}, "axes", Ints{2}), 1);
  slice.upgrade_from(9);
  EXPECT_EQ(slice.text(), "Slice(in0, constant0, constant1, constant2)");
  EXPECT_THAT(slice.constants[2].to_int64s(), ElementsAre(2));
  RecordedDraft slice_first("Slice", with("starts", Ints{1}, "ends", Ints{-1}), 1);
  slice_first.upgrade_from(1);
  EXPECT_EQ(slice_first.text(), "Slice(in0, constant0, constant1)");
}

TEST(OlderViewsTest, NeedWhatTheirVersionRequired) {
  RecordedDraft unsqueeze("Unsqueeze", {}, 1);
  EXPECT_THAT(refusal(unsqueeze, 11), HasSubstr("\"axes\" is required"));
}

TEST(OlderSplitTest, TakesLengthsInAnyForm) {
  RecordedDraft by_attribute("Split", with("split", Ints{1, 2}), 1, 2);
  by_attribute.upgrade_from(11);
  EXPECT_EQ(by_attribute.text(), "Split(in0, constant0)");
  EXPECT_FALSE(by_attribute.node.attributes.has("num_outputs"));

  RecordedDraft even("Split", {}, 1, 3);
  even.upgrade_from(13);
  EXPECT_EQ(even.node.attributes.get_int("num_outputs", 0), 3);

  RecordedDraft by_floats("Split", with("axis", std::int64_t{1}), 2, 2);
  by_floats.upgrade_from(1);
  EXPECT_EQ(by_floats.text(), "Split(in0, before0)");
  EXPECT_THAT(by_floats.text_before(), ElementsAre("Cast(in1)"));
  EXPECT_EQ(by_floats.node.attributes.get_int("axis", 0), 1);
}

TEST(OlderMovementTest, FillsInWhatWasTakenForGranted) {
  RecordedDraft concat("Concat", {}, 2);
  concat.upgrade_from(3);
  EXPECT_EQ(concat.node.attributes.get_int("axis", 0), 1);
  RecordedDraft scatter("Scatter", with("axis", std::int64_t{1}), 3);
  EXPECT_EQ(scatter.upgrade_from(9).name(), "ScatterElements");
  EXPECT_EQ(scatter.node.attributes.get_text("reduction", ""), "none");
  RecordedDraft top("TopK", with("k", std::int64_t{3}), 1, 2);
  top.upgrade_from(1);
  EXPECT_EQ(top.text(), "TopK(in0, constant0)");
  EXPECT_EQ(top.constants[0].shape(), Dims{1});
  EXPECT_EQ(top.node.attributes.get_int("largest", 0), 1);
}

TEST(OlderMovementTest, TilesOneAxis) {
  RecordedDraft tile("Tile", {}, 3);
  tile.knowing({2, 3}).upgrade_from(1);
  EXPECT_EQ(tile.text(), "Tile(in0, before4)");
  EXPECT_EQ(tile.before[4].op, "ScatterElements");
  EXPECT_THAT(tile.constants[2].to_int64s(), ElementsAre(1, 1));
  EXPECT_THAT(tile.before[4].inputs, ElementsAre("constant2", "before3", "before1"));
  RecordedDraft unknown("Tile", {}, 3);
  EXPECT_THAT(refusal(unknown, 1), HasSubstr("rank of input 0"));
}

TEST(OlderPadTest, GivesItsValueTheTypeOfTheData) {
  RecordedDraft plain("Pad", with("paddings", Ints{1, 1}), 1);
  plain.upgrade_from(1);
  EXPECT_EQ(plain.text(), "Pad(in0, constant0)");
  RecordedDraft valued("Pad", with("pads", Ints{1, 1}, "value", 2.5f), 1);
  valued.knowing({4}).upgrade_from(2);
  EXPECT_EQ(valued.text(), "Pad(in0, constant0, constant1)");
  EXPECT_THAT(valued.constants[1].values<float>(), ElementsAre(2.5f));
  RecordedDraft half("Pad", with("pads", Ints{1, 1}, "value", 2.5f), 1);
  half.knowing({4}, DType::float16).upgrade_from(2);
  EXPECT_EQ(half.text(), "Pad(in0, constant0, before0)");
  EXPECT_EQ(half.before[0].attributes.get_int("to", 0), 10);
}

TEST(OlderDropoutTest, DropsOnlyWhereItSaidSo) {
  RecordedDraft test("Dropout", with("is_test", std::int64_t{1}, "ratio", 0.3f), 1);
  test.knowing({2}).upgrade_from(6);
  EXPECT_EQ(test.text(), "Dropout(in0, constant0)");
  EXPECT_THAT(test.constants[0].values<float>(), ElementsAre(0.3f));
  RecordedDraft training("Dropout", with("ratio", 0.3f), 1);
  training.knowing({2}).upgrade_from(1);
  EXPECT_EQ(training.text(), "Dropout(in0, constant0, constant1)");
  EXPECT_THAT(training.constants[0].values<float>(), ElementsAre(0.3f));
  EXPECT_THAT(training.constants[1].to_int64s(), ElementsAre(1));
  RecordedDraft inference("Dropout", with("ratio", 0.3f), 1);
  inference.upgrade_from(10);
  EXPECT_EQ(inference.text(), "Dropout(in0, constant0)");
}

TEST(OlderDropoutTest, CastsAMaskOfTheDatasType) {
  RecordedDraft seven("Dropout", {}, 1, 2);
  seven.knowing({2}, DType::float16).upgrade_from(7);
  ASSERT_EQ(seven.after.size(), 1u);
  EXPECT_EQ(seven.after[0].op, "Cast");
  EXPECT_EQ(seven.after[0].attributes.get_int("to", 0), 10);
  RecordedDraft ten("Dropout", {}, 1, 2);
  ten.knowing({2}).upgrade_from(10);
  EXPECT_THAT(ten.after, IsEmpty());
}

TEST(OlderPoolTest, TakesWholePowersOnly) {
  const Attributes two = with("kernel_shape", Ints{2}, "p", 3.0f);
  RecordedDraft pool("LpPool", two, 1);
  pool.upgrade_from(1);
  EXPECT_EQ(pool.node.attributes.get_int("p", 0), 3);
  RecordedDraft global("GlobalLpPool", with("p", 1.5f), 1);
  EXPECT_THAT(refusal(global, 1), HasSubstr("\"p\" is 1.5"));
  RecordedDraft roi("RoiAlign", {}, 3);
  roi.upgrade_from(10);
  EXPECT_EQ(roi.node.attributes.get_text("coordinate_transformation_mode", ""),
            "output_half_pixel");
  RecordedDraft average("AveragePool", with("kernel_shape", Ints{2}), 1);
  average.upgrade_from(1);
  EXPECT_EQ(average.node.attributes.get_int("count_include_pad", -1), 0);
}

std::string mode_of(const RecordedDraft& draft) {
  const Attributes& attributes = draft.node.attributes;
  return std::string(attributes.get_text("mode", "")) + " " +
         std::string(attributes.get_text("coordinate_transformation_mode", "")) + " " +
         std::string(attributes.get_text("nearest_mode", ""));
}

TEST(OlderResizeTest, MadeOfUpsample) {
  RecordedDraft first(
      "Upsample", with("height_scale", 2.0f, "width_scale", 3.0f, "mode", std::string("bilinear")),
      1);
  EXPECT_EQ(first.upgrade_from(1).name(), "Resize");
  EXPECT_EQ(first.text(), "Resize(in0, , constant0)");
  EXPECT_THAT(first.constants[0].values<float>(), ElementsAre(1, 1, 2, 3));
  EXPECT_EQ(mode_of(first), "linear asymmetric floor");
  RecordedDraft seven("Upsample", with("scales", Floats{1, 2}), 1);
  seven.upgrade_from(7);
  EXPECT_EQ(seven.text(), "Resize(in0, , constant0)");
  RecordedDraft nine("Upsample", {}, 2);
  nine.upgrade_from(9);
  EXPECT_EQ(nine.text(), "Resize(in0, , in1)");
  EXPECT_EQ(mode_of(nine), "nearest asymmetric floor");
}

/// Resize-10 whose scales are a constant.
struct TenthResize : RecordedDraft {
  TenthResize(const Floats& values, std::string mode)
      : RecordedDraft("Resize", with("mode", std::move(mode)), 2),
        scales(Literal::of<float>(DType::float32, {std::ssize(values)}, values)) {
    infos = {{DType::float32, Dims{8, 8}}, {DType::float32, scales.shape(), &scales}};
    upgrade_from(10);
  }
  Literal scales;
};

TEST(OlderResizeTest, RoundsDownWhereItGrowsAndUpWhereItShrinks) {
  const TenthResize growing({1, 2}, "nearest");
  EXPECT_EQ(growing.text(), "Resize(in0, , in1)");
  EXPECT_EQ(mode_of(growing), "nearest asymmetric floor");
  const TenthResize shrinking({1, 0.6f}, "nearest");
  EXPECT_EQ(shrinking.text(), "Resize(in0, , in1)");
  EXPECT_EQ(mode_of(shrinking), "nearest asymmetric ceil");
  const TenthResize both({2, 0.5f}, "nearest");
  EXPECT_THAT(both.text_before(), ElementsAre("Resize(in0, , constant0)"));
  EXPECT_EQ(both.text(), "Resize(before0, , constant1)");
  EXPECT_THAT(both.constants[0].values<float>(), ElementsAre(2, 1));
  EXPECT_THAT(both.constants[1].values<float>(), ElementsAre(1, 0.5f));
  EXPECT_EQ(both.before[0].attributes.get_text("nearest_mode", ""), "floor");
  EXPECT_EQ(mode_of(both), "nearest asymmetric ceil");
}

TEST(OlderResizeTest, NeedsKnownScalesOnlyToRound) {
  RecordedDraft nearest("Resize", {}, 2);
  EXPECT_THAT(refusal(nearest, 10), HasSubstr("scales are not constant"));
  RecordedDraft linear("Resize", with("mode", std::string("linear")), 2);
  linear.upgrade_from(10);
  EXPECT_EQ(linear.text(), "Resize(in0, , in1)");
}

TEST(OlderResizeTest, KeepsLaterForms) {
  RecordedDraft eleven("Resize", {}, 4);
  eleven.upgrade_from(11);
  EXPECT_EQ(eleven.text(), "Resize(in0, in1, in2, in3)");
  EXPECT_EQ(eleven.node.attributes.get_text("keep_aspect_ratio_policy", ""), "stretch");
}

TEST(OlderGridSampleTest, HasPlainNamesForItsModes) {
  RecordedDraft standard("GridSample", {}, 2);
  standard.upgrade_from(16);
  EXPECT_EQ(standard.node.attributes.get_text("mode", ""), "linear");
  RecordedDraft cubic("GridSample", with("mode", std::string("bicubic")), 2);
  cubic.upgrade_from(16);
  EXPECT_EQ(cubic.node.attributes.get_text("mode", ""), "cubic");
}

TEST(OlderRecurrentTest, ForgetsWhetherItGivesASequence) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    RecordedDraft draft(op, with("output_sequence", std::int64_t{1}), 3);
    draft.upgrade_from(1);
    EXPECT_FALSE(draft.node.attributes.has("output_sequence"));
    EXPECT_EQ(draft.node.attributes.get_text("direction", ""), "forward");
    EXPECT_EQ(draft.node.attributes.get_int("layout", -1), 0);
  }
}

TEST(OlderScanTest, LosesABatchOfOne) {
  const Attributes scan = with("num_scan_inputs", std::int64_t{1}, "directions", Ints{1});
  RecordedDraft draft("Scan", scan, 3, 2);
  draft.node.inputs[0].clear();
  draft.knowing({}).knowing({1, 2}).knowing({1, 3, 2}).upgrade_from(8);
  EXPECT_EQ(draft.text(), "Scan(before0, before1)");
  EXPECT_THAT(draft.text_before(),
              ElementsAre("Squeeze(in1, constant0)", "Squeeze(in2, constant0)"));
  ASSERT_EQ(draft.after.size(), 2u);
  EXPECT_EQ(draft.after[1].op, "Unsqueeze");
  EXPECT_THAT(draft.node.attributes.get_ints("scan_input_directions"), ElementsAre(1));
}

TEST(OlderScanTest, RefusesLargerBatchesAndLengths) {
  const Attributes scan = with("num_scan_inputs", std::int64_t{1});
  RecordedDraft lengths("Scan", scan, 2);
  EXPECT_THAT(refusal(lengths, 8), HasSubstr("lengths"));
  RecordedDraft batch("Scan", scan, 2);
  batch.node.inputs[0].clear();
  batch.knowing({}).knowing({4, 3});
  EXPECT_THAT(refusal(batch, 8), HasSubstr("batch of 1"));
}

}  // namespace
}  // namespace switchyard
